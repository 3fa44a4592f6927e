package dev.penstock.cli;

import java.util.List;
import java.util.Optional;

/** Finds the word that a user probably meant. */
final class Spelling {
    /** More slips than this and another word was meant. */
    private static final int MAX_SLIPS = 3;

    private Spelling() {}

    /** The known word with the fewest slips, if they are few for a word of that length. */
    static Optional<String> nearest(String word, List<String> known) {
        String best = "";
        int bestSlips = Math.min(MAX_SLIPS, word.length() / 2) + 1;
        for (String candidate : known) {
            int slips = slips(word, candidate);
            if (slips < bestSlips) {
                best = candidate;
                bestSlips = slips;
            }
        }
        return best.isEmpty() ? Optional.empty() : Optional.of(best);
    }

    /**
     * Letters added, left out, mistaken or exchanged with their neighbour (the optimal string
     * alignment distance of Damerau and Levenshtein).
     */
    static int slips(String left, String right) {
        int[][] distance = new int[left.length() + 1][right.length() + 1];
        for (int i = 0; i <= left.length(); i++) {
            for (int j = 0; j <= right.length(); j++) {
                if (i == 0 || j == 0) {
                    distance[i][j] = i + j;
                    continue;
                }
                int mistaken = left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1;
                distance[i][j] =
                        Math.min(
                                distance[i - 1][j - 1] + mistaken,
                                1 + Math.min(distance[i - 1][j], distance[i][j - 1]));
                boolean exchanged =
                        i > 1
                                && j > 1
                                && left.charAt(i - 1) == right.charAt(j - 2)
                                && left.charAt(i - 2) == right.charAt(j - 1);
                if (exchanged) {
                    distance[i][j] = Math.min(distance[i][j], distance[i - 2][j - 2] + 1);
                }
            }
        }
        return distance[left.length()][right.length()];
    }
}
