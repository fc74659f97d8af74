package leeward;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.zip.CRC32;

/** Compares the answers of this reader with those in the file. */
final class Vectors {
    private static final int MAX_DIFFERENCES = 100;
    private static final String LETTERS = "01234x";
    /** By kind of probe: of 256, the inputs that have any of their values. The others have the usual one, from {@link #FIRST_OPEN} on none. */
    private static final int[] SHARES = {256, 160, 96, 64, 32, 16, 96, 48};
    private static final int FIRST_OPEN = 6;

    private final Artifact artifact;
    private final Map<String, Object> vectors;
    private final Map<String, Object> columns;
    private final List<String> differences = new ArrayList<>();
    private int compared;
    private int explainedRow = -1;
    private Map<String, Artifact.Explanation> explained;

    Vectors(Artifact artifact, Map<String, Object> vectors) {
        this.artifact = artifact;
        this.vectors = vectors;
        columns = Json.object(vectors, "columns");
    }

    Artifact.Check check() {
        int rows = Json.list(columns, "state").size();
        List<String> carriers = artifact.carriers();
        byte[] codes = new byte[rows * carriers.size()];
        List<Artifact.Fault> faults = artifact.evaluate(batch(0, rows), codes);
        for (int i = 0; i < codes.length; i++) {
            String carrier = carriers.get(i % carriers.size());
            char expected = Json.text(Json.object(vectors, "statuses"), carrier).charAt(i / carriers.size());
            compare("the status of row " + i / carriers.size() + " for " + carrier, expected, LETTERS.charAt(codes[i]));
        }
        for (Map<String, Object> reasons : Json.objects(vectors, "reasons")) compareReasons(reasons);
        Map<String, Integer> surplus = new TreeMap<>();
        for (Artifact.Fault fault : faults) surplus.merge(fault.row() + " " + fault.column() + " " + fault.code(), 1, Integer::sum);
        for (Map<String, Object> error : Json.objects(vectors, "errors"))
            surplus.merge(Json.number(error.get("row")) + " " + error.get("column") + " " + error.get("code"), -1, Integer::sum);
        surplus.forEach((fault, count) -> compare("the surplus of the fault \"" + fault + "\"", 0, count));
        compareSpellings(Json.object(vectors, "spellings"));
        compareProbes(Json.object(vectors, "probes"));
        return new Artifact.Check(rows, compared, differences);
    }

    private Artifact.Columns batch(int from, int to) {
        Artifact.Columns batch = new Artifact.Columns(to - from);
        columns.keySet().forEach(name -> batch.set(name, Json.list(columns, name).subList(from, to).toArray()));
        Json.object(vectors, "ranges").forEach((name, ends) -> {
            double[][] range = ((List<?>) ends).stream().map(end -> ((List<?>) end).subList(from, to).stream().mapToDouble(
                    each -> each == null ? Double.NaN : (Double) each).toArray()).toArray(double[][]::new);
            batch.range(name, range[0], range[1]);
        });
        return batch;
    }

    private void compare(String what, Object expected, Object actual) {
        compared++;
        if (!expected.equals(actual) && differences.size() < MAX_DIFFERENCES) differences.add(what + " is " + actual + ", not " + expected);
    }

    private void compareReasons(Map<String, Object> expected) {
        int row = Json.number(expected.get("row"));
        if (row != explainedRow) explained = artifact.inputs.explain(batch(row, row + 1));
        explainedRow = row;
        Artifact.Explanation explanation = explained.get(expected.get("carrier"));
        Object codes = explanation == null ? List.of() : explanation.reasons().stream().map(Artifact.Reason::code).sorted().toList();
        compare("the list of reasons of row " + row + " for " + expected.get("carrier"), expected.get("codes"), codes);
    }

    private void compareSpellings(Map<String, Object> spellings) {
        Json.object(spellings, "states").forEach((text, code) -> compare("the state " + text, code, (double) artifact.tables.find(0, text)));
        Json.object(spellings, "policy_types").forEach((text, code) -> compare("the policy type " + text, code, (double) artifact.tables.find(1, text)));
        Json.object(spellings, "words").forEach((input, texts) -> Json.object(texts).forEach((text, code) ->
                compare("the word " + text + " of " + input, code, (double) artifact.inputs.findWord(input, text))));
        Json.object(spellings, "counties").forEach((state, byFips) -> Json.object(byFips).forEach((fips, texts) -> {
            for (Object text : (List<?>) texts) {
                int found = artifact.inputs.findCounty(artifact.tables.find(0, state) - 1, (String) text);
                String codes = Arrays.stream(artifact.tables.counties(found)).mapToObj(String::valueOf).collect(Collectors.joining(" "));
                compare("the county " + text + " of " + state, fips, codes.isEmpty() ? "-1" : codes);
            }
        }));
    }

    /** Homes that every reader makes alike from lists of values; their answers are compared as checksums. */
    private void compareProbes(Map<String, Object> probes) {
        int rows = Json.number(probes.get("rows"));
        double[][] values = numbers(Json.list(probes, "values"));
        double[][] places = numbers(Json.list(probes, "places"));
        List<?> digests = Json.list(probes, "digests");
        for (int interval = 0; interval < digests.size(); interval++) {
            List<?> types = (List<?>) digests.get(interval);
            for (int type = 0; type < types.size(); type++) {
                String[] names = {"statuses", "reasons"};
                long[] sums = checksums(interval, type, (interval * types.size() + type) * rows, rows, values, places);
                for (int i = 0; i < names.length; i++)
                    compare("the checksum of " + names[i] + " of probes of interval " + interval + ", type " + type, ((List<?>) types.get(type)).get(i), (double) sums[i]);
            }
        }
    }

    private static double[][] numbers(List<?> lists) {
        return lists.stream().map(list -> ((List<?>) list).stream().mapToDouble(each -> each == null ? Double.NaN : (Double) each).toArray()).toArray(double[][]::new);
    }

    private long[] checksums(int interval, int type, int first, int rows, double[][] values, double[][] places) {
        Tables tables = artifact.tables;
        Tables.Interval dates = tables.intervals[interval];
        Tables.Work work = tables.new Work();
        double[][] low = new double[values.length][1];
        double[][] high = new double[values.length][1];
        byte[] codes = new byte[artifact.carriers().size()];
        CRC32 statuses = new CRC32();
        CRC32 reasons = new CRC32();
        for (int home = first; home < first + rows; home++) {
            double[] place = places[Integer.remainderUnsigned(mix(home), places.length)];
            int kind = mix(home ^ 0x5bd1e995) & 7;
            for (int i = 0; i < values.length; i++) {
                int hash = mix(home * 0x9e3779b1 ^ (i + 1) * 0x85ebca77);
                boolean isAny = hash >>> 24 < SHARES[kind];
                low[i][0] = values[i].length > 0 && (isAny || kind < FIRST_OPEN) ? values[i][isAny ? (hash & 0xffffff) % values[i].length : 0] : Double.NaN;
            }
            for (int i = 0; i < values.length; i++) {
                int base = tables.inputs[i].base();
                if (values[i].length == 0 && base >= 0) low[i][0] = low[base][0];
                high[i][0] = low[i][0];
            }
            tables.complete(low, high, 0, dates.effectiveYear());
            Arrays.fill(codes, (byte) 0);
            tables.writeStatuses(dates.types()[type], (int) place[0], (int) place[1], low, high, 0, work, codes, 0);
            statuses.update(codes);
            reasons.update(tables.reasons(dates.types()[type], (int) place[0], (int) place[1], low, high, 0, work));
        }
        return new long[] {statuses.getValue(), reasons.getValue()};
    }

    /** The finalizer of MurmurHash3. */
    private static int mix(int value) {
        int hash = (value ^ value >>> 16) * 0x85ebca6b;
        hash = (hash ^ hash >>> 13) * 0xc2b2ae35;
        return hash ^ hash >>> 16;
    }
}
