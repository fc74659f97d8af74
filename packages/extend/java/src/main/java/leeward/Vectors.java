package leeward;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Compares the answers of this reader with those in the file. */
final class Vectors {
    private static final int MAX_DIFFERENCES = 100;
    private static final String LETTERS = "01234x";

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
}
