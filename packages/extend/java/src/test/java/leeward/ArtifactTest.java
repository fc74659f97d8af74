package leeward;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * Tests without a framework. Arguments: an artifact, and the number of damaged files to try, or a file with a JSON list of homes. Prints
 * counts, or the answers; fails with an exception.
 */
final class ArtifactTest {
    private static final Random RANDOM = new Random(46);

    private final byte[] file;
    private final Artifact artifact;
    private final Map<String, Object> vectors;

    private ArtifactTest(byte[] file) throws IOException {
        this.file = file;
        artifact = Artifact.open(file);
        vectors = Json.object(Json.parse(new String(inflate(sections(file).get("leeward.vectors")), StandardCharsets.UTF_8)));
    }

    public static void main(String[] arguments) throws Exception {
        ArtifactTest test = new ArtifactTest(Files.readAllBytes(Path.of(arguments[0])));
        if (arguments[1].endsWith(".json")) {
            test.printAnswers(Path.of(arguments[1]));
            return;
        }
        int files = Integer.parseInt(arguments[1]);
        test.answersTheVectors();
        test.answersMapsLikeColumns();
        test.answersTheSameInThreadsAndAfterSerialization();
        test.refusesTruncatedAlteredAndNewerFiles(files);
        test.survivesDamagedTables(files);
        test.reportsFaults();
    }

    /** One line a home: a digit for each status, then the faults. */
    private void printAnswers(Path homes) throws IOException {
        for (Object home : (List<?>) Json.parse(Files.readString(homes))) {
            Artifact.Answer answer = artifact.evaluate(Json.object(home));
            StringBuilder line = new StringBuilder();
            answer.statuses().values().forEach(status -> line.append(status.ordinal()));
            answer.faults().forEach(fault -> line.append('\t').append(fault.column()).append(' ').append(fault.code()).append(' ').append(fault.message()));
            System.out.println(line);
        }
    }

    private static void check(boolean isTrue, String what) {
        if (!isTrue) throw new AssertionError(what);
    }

    private void answersTheVectors() {
        Artifact.Check check = artifact.check();
        System.out.println("vectors: rows " + check.homes() + ", compared " + check.compared() + ", different " + check.differences().size());
        check.differences().stream().limit(10).forEach(System.out::println);
        check(check.differences().isEmpty() && check.compared() > 1000, "vectors");
    }

    private Map<String, Object> columns() {
        return Json.object(vectors.get("columns"));
    }

    private Artifact.Columns batch() {
        Artifact.Columns batch = new Artifact.Columns(Json.list(columns(), "state").size());
        columns().keySet().forEach(name -> batch.set(name, Json.list(columns(), name).toArray()));
        return batch;
    }

    private byte[] codes(Artifact of) {
        byte[] codes = new byte[batch().rows * of.carriers().size()];
        of.evaluate(batch(), codes);
        return codes;
    }

    private void answersMapsLikeColumns() {
        byte[] codes = codes(artifact);
        int carriers = artifact.carriers().size();
        for (int row = 0; row < batch().rows; row++) {
            Map<String, Object> home = new HashMap<>();
            for (String name : columns().keySet()) home.put(name, Json.list(columns(), name).get(row));
            int i = row * carriers;
            for (Artifact.Status status : artifact.evaluate(home).statuses().values()) check(status.ordinal() == codes[i++], "map of row " + row);
        }
        System.out.println("homes as maps: equal in " + codes.length);
    }

    private void answersTheSameInThreadsAndAfterSerialization() throws Exception {
        byte[] expected = codes(artifact);
        long equal = IntStream.range(0, 8).parallel().filter(i -> Arrays.equals(expected, codes(artifact))).count();
        check(equal == 8, "threads");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new ObjectOutputStream(out).writeObject(artifact);
        Artifact copy = (Artifact) new ObjectInputStream(new ByteArrayInputStream(out.toByteArray())).readObject();
        check(Arrays.equals(expected, codes(copy)), "serialized");
        System.out.println("threads and serialization: equal in " + 9 * expected.length);
    }

    private static String codeOf(byte[] bytes) {
        try {
            Artifact.open(bytes);
            return "opened";
        } catch (Artifact.ArtifactException fault) {
            return fault.code();
        }
    }

    private void refusesTruncatedAlteredAndNewerFiles(int files) throws Exception {
        Map<String, Integer> codes = new HashMap<>();
        for (int i = 0; i < files; i++) {
            byte[] altered = i % 2 == 0 ? Arrays.copyOf(file, RANDOM.nextInt(file.length)) : file.clone();
            if (i % 2 == 1) altered[RANDOM.nextInt(file.length)] ^= (byte) (1 << RANDOM.nextInt(8));
            codes.merge(codeOf(altered), 1, Integer::sum);
        }
        check(codes.keySet().stream().allMatch(code -> List.of("damaged_artifact", "altered_artifact", "not_an_artifact").contains(code)), "refused " + codes);
        byte[] newer = with("leeward.manifest", new String(inflate(sections(file).get("leeward.manifest")), StandardCharsets.UTF_8)
                .replace("\"format\":1", "\"format\":2").getBytes(StandardCharsets.UTF_8));
        check(codeOf(newer).equals("newer_artifact"), "newer");
        check(codeOf(new byte[0]).equals("not_an_artifact"), "empty");
        System.out.println("refused: " + codes);
    }

    /** Changes tables and corrects the digest: the file opens, or is refused; evaluation never leaves its arrays. */
    private void survivesDamagedTables(int files) throws Exception {
        byte[] image = inflate(sections(file).get("leeward.tables"));
        int refused = 0;
        for (int i = 0; i < files; i++) {
            byte[] damaged = image.clone();
            for (int n = 0; n <= i % 3; n++) {
                int at = i % 2 == 0 ? 4 * RANDOM.nextInt(32) : RANDOM.nextInt(image.length / 4) * 4;
                int value = RANDOM.nextBoolean() ? RANDOM.nextInt() : RANDOM.nextInt(image.length);
                for (int b = 0; b < 4; b++) damaged[at + b] = (byte) (value >> 8 * b);
            }
            try {
                codes(Artifact.open(with("leeward.tables", damaged)));
            } catch (Artifact.ArtifactException fault) {
                refused++;
            }
        }
        System.out.println("damaged tables: refused " + refused + " of " + files);
    }

    private void reportsFaults() {
        Map<String, Object> home = new LinkedHashMap<>(Map.of("state", "Texs", "policy_type", "ho3", "year_built", "19x7"));
        List<Artifact.Fault> faults = artifact.evaluate(home).faults();
        faults.forEach(fault -> System.out.println(fault.column() + " " + fault.code() + ": " + fault.message()));
        check(faults.size() >= 2 && artifact.reasons(home).isEmpty(), "faults");
        try {
            artifact.evaluate(new Artifact.Columns(1).set("state", "tx").set("policy_typ", "ho3"), new byte[artifact.carriers().size()]);
            throw new AssertionError("unknown column");
        } catch (IllegalArgumentException fault) {
            System.out.println(fault.getMessage());
        }
    }

    private static byte[] inflate(byte[] gzip) throws IOException {
        return new GZIPInputStream(new ByteArrayInputStream(gzip)).readAllBytes();
    }

    /** Contents of custom sections, in order. The key "" has the module before them. */
    private static Map<String, byte[]> sections(byte[] file) {
        Map<String, byte[]> sections = new LinkedHashMap<>();
        int[] at = {8};
        while (at[0] < file.length) {
            int start = at[0];
            int id = file[at[0]++];
            int size = leb(file, at);
            int end = at[0] + size;
            if (id == 0) {
                int length = leb(file, at);
                String name = new String(file, at[0], length, StandardCharsets.UTF_8);
                if (name.startsWith("leeward.")) {
                    sections.putIfAbsent("", Arrays.copyOf(file, start));
                    sections.put(name, Arrays.copyOfRange(file, at[0] + length, end));
                }
            }
            at[0] = end;
        }
        return sections;
    }

    private static int leb(byte[] file, int[] at) {
        int value = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = file[at[0]++];
            value |= (next & 127) << shift;
            if (next >= 0) return value;
        }
    }

    /** Returns the file with another content of a section and a correct digest. */
    private byte[] with(String name, byte[] content) throws Exception {
        Map<String, byte[]> sections = sections(file);
        ByteArrayOutputStream gzip = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(gzip)) {
            out.write(content);
        }
        sections.put(name, gzip.toByteArray());
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(sections.remove(""));
        sections.remove("leeward.digest");
        for (Map.Entry<String, byte[]> section : sections.entrySet()) write(all, section.getKey(), section.getValue());
        write(all, "leeward.digest", MessageDigest.getInstance("SHA-256").digest(all.toByteArray()));
        return all.toByteArray();
    }

    private static void write(ByteArrayOutputStream out, String name, byte[] content) throws IOException {
        ByteArrayOutputStream section = new ByteArrayOutputStream();
        section.write(name.length());
        section.write(name.getBytes(StandardCharsets.UTF_8));
        section.write(content);
        out.write(0);
        int size = section.size();
        for (; size > 127; size >>>= 7) out.write(size & 127 | 128);
        out.write(size);
        out.write(section.toByteArray());
    }
}
