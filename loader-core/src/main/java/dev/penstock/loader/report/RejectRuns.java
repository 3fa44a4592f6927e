package dev.penstock.loader.report;

import dev.penstock.reject.Reject;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;

/**
 * Rejects that come in lists of any order and go in input order, in {@link RejectPages}. Lists that
 * follow each other make a run; runs are merged while they are read, so that memory holds one page
 * of each. Not thread-safe.
 */
final class RejectRuns {
    /** Own code: what Comparator makes is serializable, and made anew by each command's start. */
    static final Comparator<Reject> INPUT_ORDER =
            (one, other) -> {
                int order = Integer.compare(one.sourceIndex(), other.sourceIndex());
                return order != 0 ? order : Long.compare(one.bytePosition(), other.bytePosition());
            };

    /** Records of a page together, but for the last of them. */
    private static final int PAGE_BYTES = 16 << 10;

    private static final int PAGE_REJECTS = 128;

    private final RejectPages pages;
    private final List<Run> runs = new ArrayList<>();

    private static final class Run {
        private final List<RejectPages.Page> pages = new ArrayList<>();
        private int lastSource;
        private long lastPosition;

        boolean isBefore(Reject reject) {
            return lastSource < reject.sourceIndex()
                    || lastSource == reject.sourceIndex() && lastPosition <= reject.bytePosition();
        }
    }

    RejectRuns(RejectPages pages) {
        this.pages = pages;
    }

    void add(List<Reject> rejects) {
        if (rejects.isEmpty()) {
            return;
        }
        List<Reject> sorted = rejects.stream().sorted(INPUT_ORDER).toList();
        Run run = runBefore(sorted.getFirst());
        int from = 0;
        while (from < sorted.size()) {
            int to = pageEnd(sorted, from);
            run.pages.add(pages.put(sorted.subList(from, to)));
            from = to;
        }
        run.lastSource = sorted.getLast().sourceIndex();
        run.lastPosition = sorted.getLast().bytePosition();
    }

    private Run runBefore(Reject first) {
        for (Run run : runs) {
            if (run.isBefore(first)) {
                return run;
            }
        }
        Run fresh = new Run();
        runs.add(fresh);
        return fresh;
    }

    private static int pageEnd(List<Reject> rejects, int from) {
        int to = from;
        long bytes = 0;
        while (to < rejects.size() && to - from < PAGE_REJECTS && bytes < PAGE_BYTES) {
            bytes += rejects.get(to).record().length;
            to++;
        }
        return to;
    }

    /** All that has been added; nothing may be added meanwhile. */
    Iterator<Reject> inOrder() {
        pages.checkIntact();
        return new Merged();
    }

    private final class Merged implements Iterator<Reject> {
        private final PriorityQueue<Cursor> cursors = new PriorityQueue<>();

        Merged() {
            for (int i = 0; i < runs.size(); i++) {
                cursors.add(new Cursor(i, runs.get(i).pages.iterator()));
            }
        }

        @Override
        public boolean hasNext() {
            return !cursors.isEmpty();
        }

        @Override
        public Reject next() {
            Cursor cursor = cursors.poll();
            if (cursor == null) {
                throw new NoSuchElementException();
            }
            Reject next = cursor.head;
            if (cursor.advance()) {
                cursors.add(cursor);
            }
            return next;
        }
    }

    /** A place in a run; of the same place in two runs that of the earlier run comes first. */
    private final class Cursor implements Comparable<Cursor> {
        private final int run;
        private final Iterator<RejectPages.Page> rest;
        private Iterator<Reject> page;
        private Reject head;

        Cursor(int run, Iterator<RejectPages.Page> rest) {
            this.run = run;
            this.rest = rest;
            page = pages.get(rest.next()).iterator();
            head = page.next();
        }

        boolean advance() {
            if (!page.hasNext() && rest.hasNext()) {
                page = pages.get(rest.next()).iterator();
            }
            boolean more = page.hasNext();
            if (more) {
                head = page.next();
            }
            return more;
        }

        @Override
        public int compareTo(Cursor other) {
            int order = INPUT_ORDER.compare(head, other.head);
            return order != 0 ? order : Integer.compare(run, other.run);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return run;
        }
    }
}
