package dev.penstock.cli.generate;

import dev.penstock.bytes.ByteBuilder;

import java.nio.charset.StandardCharsets;

/** One kind of value of the wide table. */
interface WideValue {
    /** Appends the value, which is never empty. */
    void append(WideDraw draw, ByteBuilder out);

    /** One of the texts, between which {@code |} stands; the first ones are more frequent. */
    static WideValue oneOf(String texts) {
        byte[][] bytes = split(texts);
        return (draw, out) -> write(out, bytes[draw.skewedBelow(bytes.length)]);
    }

    /** Texts of both lists, one after the other, with a space between. */
    static WideValue pair(String first, String second) {
        return pair(first, " ", second);
    }

    static WideValue pair(String first, String between, String second) {
        byte[][] left = split(first);
        byte[][] right = split(second);
        return (draw, out) -> {
            write(out, left[(int) draw.below(left.length)]);
            WideText.ascii(out, between);
            write(out, right[(int) draw.below(right.length)]);
        };
    }

    /** A prefix and a number of {@code width} digits, one of {@code distinct}. */
    static WideValue code(String prefix, int width, long distinct) {
        return (draw, out) -> {
            WideText.ascii(out, prefix);
            WideText.digits(out, draw.below(distinct) * 7 + 3, width);
        };
    }

    /** A number in {@code [low, high]}. */
    static WideValue number(long low, long high) {
        return (draw, out) -> WideText.number(out, low + draw.below(high - low + 1));
    }

    /** A decimal number whose unscaled value is in {@code [low, high]}; small ones are frequent. */
    static WideValue decimal(long low, long high, int scale) {
        return (draw, out) -> {
            long first = draw.below(high - low + 1);
            WideText.decimal(out, low + Math.min(first, draw.below(high - low + 1)), scale);
        };
    }

    /** The invoice's date plus a number of days in {@code [low, high]}. */
    static WideValue date(int low, int high) {
        return (draw, out) ->
                WideText.date(out, draw.day() + low + (int) draw.below(high - low + 1));
    }

    /** The same with a time of day, in seconds. */
    static WideValue timestamp(int low, int high) {
        return (draw, out) -> {
            WideText.date(out, draw.day() + low + (int) draw.below(high - low + 1));
            out.putByte(' ');
            WideText.time(out, (int) draw.below(86_400));
        };
    }

    static WideValue time() {
        return (draw, out) -> WideText.time(out, 6 * 3600 + (int) draw.below(57_600));
    }

    /** {@code true} or {@code false}. */
    static WideValue truth(int percentTrue) {
        return (draw, out) -> WideText.ascii(out, draw.below(100) < percentTrue ? "true" : "false");
    }

    static WideValue hex(int digits) {
        return (draw, out) -> WideText.hex(out, draw.below(Long.MAX_VALUE) << 1, digits);
    }

    /** A random UUID, which is version 4. */
    static WideValue uuid() {
        return (draw, out) -> {
            WideText.hex(out, draw.below(1L << 32), 8);
            out.putByte('-');
            WideText.hex(out, draw.below(1 << 16), 4);
            out.putByte('-');
            WideText.hex(out, 0x4000 | draw.below(1 << 12), 4);
            out.putByte('-');
            WideText.hex(out, 0x8000 | draw.below(1 << 14), 4);
            out.putByte('-');
            WideText.hex(out, draw.below(1L << 48), 12);
        };
    }

    /** Words with spaces, now and then a comma; ends before {@code maxBytes}. */
    static WideValue prose(int minWords, int maxWords, int maxBytes) {
        byte[][] words = split(WideWords.PROSE);
        return (draw, out) -> {
            int start = out.length();
            long count = minWords + draw.below(maxWords - minWords + 1L);
            for (int i = 0; i < count; i++) {
                byte[] word = words[draw.skewedBelow(words.length)];
                if (out.length() - start + word.length + 2 > maxBytes) {
                    return;
                }
                if (i > 0) {
                    WideText.ascii(out, draw.below(12) == 0 ? ", " : " ");
                }
                write(out, word);
            }
        };
    }

    /** One after the other. */
    static WideValue all(WideValue... values) {
        return (draw, out) -> {
            for (WideValue value : values) {
                value.append(draw, out);
            }
        };
    }

    static WideValue text(String constant) {
        return (draw, out) -> WideText.ascii(out, constant);
    }

    private static byte[][] split(String texts) {
        String[] parts = texts.split("\\|");
        byte[][] bytes = new byte[parts.length][];
        for (int i = 0; i < parts.length; i++) {
            bytes[i] = parts[i].getBytes(StandardCharsets.UTF_8);
        }
        return bytes;
    }

    private static void write(ByteBuilder out, byte[] bytes) {
        out.write(bytes, 0, bytes.length);
    }
}
