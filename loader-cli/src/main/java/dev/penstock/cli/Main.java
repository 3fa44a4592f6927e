package dev.penstock.cli;

/** Entry point of the {@code penstock} command. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        StandardError.restore();
        int code = Cli.run(Console.ofProcess(), args);
        Runtime.getRuntime().exit(code);
    }
}
