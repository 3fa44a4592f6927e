package dev.penstock.parse;

/** Of text in which each line feed ends a record. */
public final class LineProbe implements RecordProbe {
    @Override
    public int startAfter(byte[] text, int from, int to) {
        return LineEnds.first(text, from, to);
    }

    @Override
    public int end(byte[] text, int start, int to) {
        return LineEnds.first(text, start, to);
    }

    @Override
    public int lastStart(byte[] text, int from, int to) {
        return LineEnds.last(text, from, to - 1);
    }
}
