package leeward;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPInputStream;

/**
 * The rules of many carriers in one file, made by {@code leeward compile}. Evaluates homes without a service or other libraries.
 *
 * <p>An artifact is immutable: threads can share it. It is serializable by the bytes of its file, for Spark and Flink.
 *
 * <pre>{@code
 * Artifact artifact = Artifact.open(Path.of("home.leeward"));
 * Map<String, Object> home = Map.of("state", "fl", "policy_type", "ho3", "year_built", 1987, "effective_date", "2026-12-01");
 * System.out.println(artifact.evaluate(home).statuses());
 * }</pre>
 */
public final class Artifact implements Serializable {
    private static final long serialVersionUID = 1;
    private static final int FORMAT = 1;
    private static final int MAX_SECTION_BYTES = 1 << 29;

    private final byte[] file;
    private final transient Map<String, byte[]> sections;
    private final transient List<String> carriers;
    final transient Tables tables;
    final transient Inputs inputs;

    /** What a carrier answers. The ordinal is the code in batches. */
    public enum Status {
        /** The carrier does not offer the policy type there. */
        NOT_OFFERED,
        /** No rule applies. */
        ELIGIBLE,
        /** An underwriter decides. */
        REFERRAL,
        /** Missing values decide. */
        NEEDS_INFORMATION,
        /** A rule declines the home. */
        INELIGIBLE,
        /** The row has faults, so that no carrier evaluated it. */
        INVALID
    }

    /**
     * A fault of a row.
     *
     * @param row position in the batch, from 0
     * @param column the name of the column
     * @param code such as {@code unknown_value} or {@code out_of_range}
     * @param message names the value and the way out
     */
    public record Fault(int row, String column, String code, String message) {}

    /**
     * The answer for one home.
     *
     * @param statuses by key of the carrier
     * @param faults empty unless every status is {@link Status#INVALID}
     */
    public record Answer(Map<String, Status> statuses, List<Fault> faults) {}

    /**
     * A rule, territory or moratorium that decides a status.
     *
     * @param rule its identifier
     * @param code its reason code
     * @param outcome {@code decline} or {@code refer}
     * @param message its text for people
     */
    public record Reason(String rule, String code, String outcome, String message) {}

    /**
     * A status and what decided it.
     *
     * @param status the carrier's answer
     * @param reasons the rules that hold, or that may hold if only several together decide; empty for an open status
     * @param fields for {@link Status#NEEDS_INFORMATION}: the missing columns of the rules that may hold
     */
    public record Explanation(Status status, List<Reason> reasons, List<String> fields) {}

    /**
     * The result of {@link #check}.
     *
     * @param homes number of homes in the vectors
     * @param compared number of statuses, reasons, faults and spellings compared
     * @param differences a sentence for each of the first 100 differences
     */
    public record Check(int homes, int compared, List<String> differences) {}

    /**
     * Homes as columns. Arrays are used without a copy.
     *
     * <pre>{@code
     * Artifact.Columns batch = new Artifact.Columns(2)
     *     .set("state", new String[] {"fl", "Texas"})
     *     .set("policy_type", "ho3")
     *     .set("year_built", new double[] {1987, Double.NaN});
     * }</pre>
     */
    public static final class Columns {
        final Map<String, Object> values = new LinkedHashMap<>();
        final Map<String, double[][]> ranges = new LinkedHashMap<>();
        final int rows;

        /**
         * Creates a batch without columns.
         *
         * @param rows number of homes
         */
        public Columns(int rows) {
            this.rows = rows;
        }

        /**
         * Sets a column.
         *
         * @param name of the column
         * @param column {@code double[]} (NaN is missing), {@code Object[]} (null is missing), or one value for all rows: numbers, text,
         *     booleans, dates, lists of words
         * @return this batch
         * @throws IllegalArgumentException if the array has another length than the batch
         */
        public Columns set(String name, Object column) {
            expect(name, column instanceof double[] numbers ? numbers.length : column instanceof Object[] objects ? objects.length : rows);
            values.put(name, column);
            return this;
        }

        /**
         * Sets possible values of an input, for rows that do not give its value.
         *
         * @param input name of a number input of the manifest, such as {@code roof_year}
         * @param lower smallest possible value of each row, in the unit of the input; NaN is unknown
         * @param upper largest possible value of each row
         * @return this batch
         * @throws IllegalArgumentException if an array has another length than the batch
         */
        public Columns range(String input, double[] lower, double[] upper) {
            expect(input, lower.length);
            expect(input, upper.length);
            ranges.put(input, new double[][] {lower, upper});
            return this;
        }

        private void expect(String name, int length) {
            if (length != rows) throw new IllegalArgumentException("The column " + name + " has " + length + " rows; give " + rows + ".");
        }
    }

    /** A file that cannot be used. */
    public static final class ArtifactException extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final String code;

        ArtifactException(String code, String message) {
            super(message);
            this.code = code;
        }

        /** {@return {@code not_an_artifact}, {@code damaged_artifact}, {@code altered_artifact} or {@code newer_artifact}} */
        public String code() {
            return code;
        }
    }

    private Artifact(byte[] file) {
        this.file = file;
        sections = sections(file);
        Map<String, Object> manifest = manifest();
        if (!(manifest.get("format") instanceof Double format)) throw damaged("its manifest has no format");
        if (format > FORMAT) throw newer("it", format.intValue(), FORMAT);
        tables = new Tables(inflate("leeward.tables"));
        try {
            carriers = Json.objects(manifest, "carriers").stream().map(each -> Json.text(each, "key")).toList();
            if (carriers.size() != tables.carrierCount) throw damaged("its manifest and its tables have different carriers");
            inputs = new Inputs(tables, carriers, manifest);
        } catch (ClassCastException | NullPointerException | IndexOutOfBoundsException | java.time.DateTimeException fault) {
            throw damaged("its manifest lacks a part: " + fault.getMessage());
        }
    }

    /**
     * Opens a file made by {@code leeward compile}.
     *
     * @param path the file
     * @return the artifact
     * @throws IOException if the file cannot be read
     * @throws ArtifactException if the file is truncated, altered, or made for a newer reader
     */
    public static Artifact open(Path path) throws IOException {
        return new Artifact(Files.readAllBytes(path));
    }

    /**
     * Opens the bytes of a file made by {@code leeward compile}.
     *
     * @param file the bytes; later changes have no effect
     * @return the artifact
     * @throws ArtifactException if the bytes are truncated, altered, or made for a newer reader
     */
    public static Artifact open(byte[] file) {
        return new Artifact(file.clone());
    }

    private Object readResolve() {
        return new Artifact(file);
    }

    /** {@return the keys of the carriers, in the order of the statuses of a batch} */
    public List<String> carriers() {
        return carriers;
    }

    /** {@return the names of the columns that homes may have, sorted} */
    public Set<String> columns() {
        return inputs.names();
    }

    /** {@return the manifest (versions of rule sets, inputs, licences) as maps, lists, strings, doubles and booleans} */
    public Map<String, Object> manifest() {
        return Json.object(json("leeward.manifest"));
    }

    /**
     * Evaluates one home. Invalid values are faults, not exceptions.
     *
     * @param home values by column: text, numbers, booleans, lists of words, {@code null} for unknown
     * @return a status of each carrier
     */
    public Answer evaluate(Map<String, ?> home) {
        Inputs.Block block = inputs.read(home);
        byte[] codes = new byte[carriers.size()];
        block.writeStatuses(codes);
        Map<String, Status> statuses = new LinkedHashMap<>();
        for (int i = 0; i < codes.length; i++) statuses.put(carriers.get(i), Status.values()[codes[i]]);
        return new Answer(statuses, block.faults);
    }

    /**
     * Evaluates many homes. A row with a fault gets the code of {@link Status#INVALID} for each carrier.
     *
     * @param batch the homes
     * @param out receives the ordinal of a {@link Status} at {@code row * carriers().size() + carrier}
     * @return the faults of all rows
     * @throws IllegalArgumentException if {@code out} is too short, or a column is missing or misspelled
     */
    public List<Fault> evaluate(Columns batch, byte[] out) {
        long length = (long) batch.rows * carriers.size();
        if (out.length < length) throw new IllegalArgumentException("out has " + out.length + " bytes; give rows × carriers = " + length + ".");
        return inputs.evaluate(batch, out);
    }

    /**
     * Explains the statuses of one home.
     *
     * @param home as in {@link #evaluate(Map)}
     * @return by key of the carrier; empty if the home has faults
     */
    public Map<String, Explanation> reasons(Map<String, ?> home) {
        return inputs.read(home).explain();
    }

    /**
     * Evaluates the homes that the file contains for this purpose.
     *
     * @return without differences if this reader answers as the compiler did
     */
    public Check check() {
        return new Vectors(this, Json.object(json("leeward.vectors"))).check();
    }

    static ArtifactException damaged(String problem) {
        return new ArtifactException("damaged_artifact", "The artifact is damaged: " + problem + ". Copy or compile it again.");
    }

    static ArtifactException newer(String what, int format, int readable) {
        String message = "The artifact is newer than this reader: " + what + " has format " + format + "; this reader reads up to " + readable + ". Update it.";
        return new ArtifactException("newer_artifact", message);
    }

    private static ArtifactException notAnArtifact() {
        return new ArtifactException("not_an_artifact", "This is not an artifact; write one with leeward compile.");
    }

    /** Finds the custom sections of the WebAssembly module and checks the digest. */
    private static Map<String, byte[]> sections(byte[] file) {
        if (file.length < 8 || file[0] != 0 || file[1] != 'a' || file[2] != 's' || file[3] != 'm') throw notAnArtifact();
        Map<String, byte[]> sections = new HashMap<>();
        for (int[] at = {8}; at[0] < file.length; ) {
            int start = at[0];
            int id = file[at[0]++];
            int size = leb(file, at);
            int end = at[0] + size;
            if (size < 0 || end < 0 || end > file.length) throw damaged("it is cut off");
            int length = id == 0 ? leb(file, at) : 0;
            if (length < 0 || length > end - at[0]) throw damaged("the name of a section is too long");
            String name = id == 0 ? new String(file, at[0], length, StandardCharsets.UTF_8) : "";
            byte[] content = name.startsWith("leeward.") ? Arrays.copyOfRange(file, at[0] + length, end) : null;
            if (content != null && sections.put(name, content) != null) throw damaged("it has two sections " + name);
            if (name.equals("leeward.digest")) {
                if (end != file.length) throw damaged("its digest is not at its end");
                if (MessageDigest.isEqual(sha256(file, start), content)) return sections;
                throw new ArtifactException("altered_artifact", "The artifact was altered after it was made: its digest differs. Copy or compile it again.");
            }
            at[0] = end;
        }
        throw sections.isEmpty() ? notAnArtifact() : damaged("its last section, the digest, is missing");
    }

    /** Returns −1 for a number of more than 31 bits, or a cut-off one. */
    private static int leb(byte[] file, int[] at) {
        long value = 0;
        for (int shift = 0; shift < 35 && at[0] < file.length; shift += 7) {
            byte next = file[at[0]++];
            value |= (long) (next & 127) << shift;
            if (next >= 0) return value > Integer.MAX_VALUE ? -1 : (int) value;
        }
        return -1;
    }

    private static byte[] sha256(byte[] bytes, int length) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(bytes, 0, length);
            return digest.digest();
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private byte[] inflate(String name) {
        if (!sections.containsKey(name)) throw damaged("it has no section " + name);
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(sections.get(name)))) {
            byte[] bytes = in.readNBytes(MAX_SECTION_BYTES);
            if (in.read() >= 0) throw damaged("its section " + name + " has more than " + MAX_SECTION_BYTES + " bytes");
            return bytes;
        } catch (IOException fault) {
            throw damaged("its section " + name + " cannot be decompressed");
        }
    }

    private Object json(String section) {
        try {
            return Json.parse(new String(inflate(section), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException fault) {
            throw damaged("its section " + section + " is " + fault.getMessage());
        }
    }
}
