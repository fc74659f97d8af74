package leeward;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads columns as users write them into numbers of the tables, with the messages of the manifest. */
final class Inputs {
    private static final int BLOCK_ROWS = 1024;
    private static final int MAX_KEPT = 1 << 16;
    private static final int MAX_TEXT = 200;
    private static final int MAX_STATE_TEXT = 100;
    private static final int MAX_DATE_TEXT = 40;
    private static final int MAX_SUGGESTED = 64;
    private static final int OLDEST_AGE = 200;
    private static final double FIRST_DAY = LocalDate.of(1900, 1, 1).toEpochDay();
    private static final double LAST_DAY = LocalDate.of(2199, 12, 31).toEpochDay();
    /** Members of an input of the manifest that follows from others. */
    private static final List<String> DERIVATIONS = List.of("program", "test", "moment", "by_count");
    private static final Pattern ZIPCODE = Pattern.compile("\\s*(\\d{5})(?:-?\\d{4})?\\s*");
    private static final Pattern NUMBER = Pattern.compile("([+-]?)\\d{1,15}(\\.\\d{1,15})?");

    /** A column of users. A set fills one input for each word that rules test (−1 for other words), other columns fill one input. */
    private record Column(String name, String kind, int[] inputs, List<String> words, Map<String, Object> spellings, double factor, double min,
            double max, boolean isWhole, Map<String, Object> faults, List<Map<String, Object>> kept) {}

    private record Problem(String code, String message) {}

    private final Tables tables;
    private final List<String> carriers;
    private final Map<String, Object> manifest;
    private final Map<String, Column> columns = new LinkedHashMap<>();
    private final Map<String, Integer> byName = new HashMap<>();
    private final List<Map<String, Object>> entries;
    private final List<Map<String, Object>> states;
    private final List<Map<String, Object>> rules;
    private final ZoneId[] zones;
    private final List<String> fields;

    Inputs(Tables tables, List<String> carriers, Map<String, Object> manifest) {
        this.tables = tables;
        this.carriers = carriers;
        this.manifest = manifest;
        states = Json.objects(manifest, "states");
        rules = Json.objects(manifest, "rules");
        zones = states.stream().map(state -> ZoneId.of(Json.text(state, "zone"))).toArray(ZoneId[]::new);
        fields = Json.texts(manifest, "fields");
        entries = Json.objects(manifest, "inputs");
        for (String name : List.of("state", "as_of", "effective_date", "policy_type", "county"))
            add(name, name, Json.texts(manifest, "policy_types"), Json.object(manifest, "policy_type_spellings"), 1, FIRST_DAY, LAST_DAY, false, faultsOf(name));
        Json.object(manifest, "sets").forEach((name, set) -> {
            List<String> words = Json.texts(Json.object(set), "words");
            int[] none = new int[words.size()];
            Arrays.fill(none, -1);
            add(name, "set_word", words, Map.of(), 1, 1, 2, true, Json.object(Json.object(set).get("faults")), none);
        });
        for (int i = 0; i < entries.size(); i++) add(i, entries.get(i), tables.inputs[i]);
        for (Object pair : Json.list(manifest, "given_together"))
            for (Object name : (List<?>) pair) if (!columns.containsKey(name)) add((String) name, "unread", List.of(), Map.of(), 1, 0, 0, false, Map.of());
    }

    private Map<String, Object> faultsOf(String name) {
        return Json.object(Json.object(manifest, "faults"), name);
    }

    private void add(String name, String kind, List<String> words, Map<String, Object> spellings, double factor, double min, double max, boolean isWhole, Map<String, Object> faults,
            int... inputs) {
        // Texts that were read before; the meaning of a county depends on the state.
        List<Map<String, Object>> kept = new ArrayList<>();
        for (int i = 0; i < (kind.equals("county") ? states.size() : 1); i++) kept.add(new ConcurrentHashMap<>());
        columns.put(name, new Column(name, kind, inputs, words, spellings, factor, min, max, isWhole, faults, kept));
    }

    private void add(int index, Map<String, Object> entry, Tables.Input input) {
        String kind = Json.text(entry, "kind");
        byName.put(Json.text(entry, "name"), index);
        if (input.base() >= 0) return;
        if (kind.equals("set_word")) {
            Column set = columns.get(Json.text(entry, "set"));
            set.inputs[set.words.indexOf(Json.text(entry, "word"))] = index;
        } else if (entry.containsKey("columns")) {
            for (Map<String, Object> own : Json.objects(entry, "columns"))
                add(Json.text(own, "name"), kind, List.of(), Map.of(), (Double) own.get("factor"), (Double) own.get("min"), (Double) own.get("max"), false,
                        Json.object(own, "faults"), index);
        } else if (List.of("number", "word", "flag", "date", "zipcode").contains(kind)) {
            boolean isYear = input.form() != 0;
            add(Json.text(entry, "column"), kind, Json.texts(entry, "words"), Json.object(entry, "spellings"), 1, isYear ? 0 : input.min(), isYear ? 9999 : input.max(),
                    isYear || input.isWhole(), Json.object(entry, "faults"), index);
        }
    }

    Set<String> names() {
        return new TreeSet<>(columns.keySet());
    }

    /** Reads one home. */
    Block read(Map<String, ?> home) {
        Artifact.Columns batch = new Artifact.Columns(1);
        Block block = new Block(batch, 1);
        home.forEach((name, value) -> {
            if (columns.containsKey(name)) batch.set(name, new Object[] {value});
            else if (!hintOf(name, home.keySet()).isEmpty())
                block.fail(0, name, "unknown_field", Json.quote(name) + " is not a field of this request." + hintOf(name, home.keySet()));
        });
        block.fill(0, 1);
        return block;
    }

    /** Other columns are the caller's, unless their names resemble a column that is not given. */
    private String hintOf(String name, Collection<String> given) {
        if (columns.containsKey(name) || fields.contains(name) || name.startsWith("x_")) return "";
        return didYouMean(name, columns.keySet().stream().filter(column -> !given.contains(column)).toList());
    }

    List<Artifact.Fault> evaluate(Artifact.Columns batch, byte[] out) {
        for (String name : batch.values.keySet()) {
            String hint = hintOf(name, batch.values.keySet());
            if (!hint.isEmpty()) throw new IllegalArgumentException(Json.quote(name) + " is not a column of the artifact." + hint + " Rename or drop it.");
        }
        for (String name : batch.ranges.keySet()) {
            if (!byName.containsKey(name) || tables.inputs[byName.get(name)].isWord())
                throw new IllegalArgumentException(Json.quote(name) + " is not a number input of the artifact." + didYouMean(name, byName.keySet()));
        }
        for (String name : List.of("state", "policy_type")) {
            if (!batch.values.containsKey(name)) throw new IllegalArgumentException("The column " + name + " is missing; give it for each row.");
        }
        Block block = new Block(batch, Math.min(BLOCK_ROWS, batch.rows));
        for (int start = 0; start < batch.rows; start += BLOCK_ROWS) {
            block.fill(start, Math.min(BLOCK_ROWS, batch.rows - start));
            block.writeStatuses(out);
        }
        return block.faults;
    }

    Map<String, Artifact.Explanation> explain(Artifact.Columns batch) {
        Block block = new Block(batch, 1);
        block.fill(0, 1);
        return block.explain();
    }

    private static boolean isMissing(Object value) {
        return value == null || value instanceof String text && strip(text).isEmpty() || value instanceof Double number && number.isNaN();
    }

    /** Removes white space at both ends, as JavaScript has it. */
    private static String strip(String text) {
        int from = 0;
        int to = text.length();
        while (from < to && isSpace(text.charAt(from))) from++;
        while (to > from && isSpace(text.charAt(to - 1))) to--;
        return text.substring(from, to);
    }

    private static boolean isSpace(char letter) {
        return letter <= ' ' ? letter == ' ' || letter >= 9 && letter <= 13 : Character.isSpaceChar(letter) || letter == '\ufeff';
    }

    /** Reads equal texts once. */
    private Object readText(Column column, String text, int state) {
        Map<String, Object> kept = column.kept.get(state);
        Object read = kept.get(text);
        if (read != null) return read;
        read = read(column, text, state);
        if (kept.size() < MAX_KEPT) kept.put(text, read);
        return read;
    }

    /** Returns a number for each input of the column, or a list of problems. */
    private Object read(Column column, Object value, int state) {
        switch (column.kind) {
            case "state", "policy_type", "word": return readWord(column, value);
            case "county":
                if (!(value instanceof String text)) return problem(column, "invalid_type", value, "");
                List<Problem> problems = textProblems(column, text, MAX_TEXT);
                return problems.isEmpty() ? one(findCounty(state, text)) : problems;
            case "flag": return value instanceof Boolean isYes ? one(isYes ? 2 : 1) : problem(column, "invalid_type", value, "");
            case "set_word": return readSet(column, value);
            case "effective_date", "date": return readDate(column, value);
            case "as_of": return readInstant(column, value);
            case "zipcode": return readZipcode(column, value);
            case "unread": return List.of();
            default: return readNumber(column, value);
        }
    }

    int findCounty(int state, String text) {
        return tables.findCounty(state, Json.text(states.get(state), "code"), text);
    }

    int findWord(String input, String text) {
        return tables.find(tables.inputs[byName.get(input)].list(), text);
    }

    private Object readWord(Column column, Object value) {
        int list = column.kind.equals("state") ? 0 : column.kind.equals("policy_type") ? 1 : tables.inputs[column.inputs[0]].list();
        if (!(value instanceof String text)) return problem(column, "invalid_type", value, "");
        List<Problem> problems = column.kind.equals("state") ? textProblems(column, text, MAX_STATE_TEXT) : List.of();
        if (!problems.isEmpty()) return problems;
        int code = text.length() > MAX_TEXT ? Tables.UNKNOWN : tables.find(list, text);
        boolean isWord = code > 0 && (column.kind.equals("state") || isSpelling(text, column.words.get(code - 1), column.spellings));
        if (isWord) return one(column.kind.equals("word") ? code : code - 1);
        String part = strip(text).length() <= 2 ? "code" : "name";
        List<String> words = column.kind.equals("state") ? states.stream().map(each -> Json.text(each, part)).toList() : column.words;
        return problem(column, column.kind.equals("word") ? "unknown_value" : "unknown_" + column.kind, value, didYouMean(text, words));
    }

    /** Keys of the tables have no punctuation, but over HTTP it matters. */
    private static boolean isSpelling(String text, String word, Map<String, Object> spellings) {
        String folded = withoutBlanks(text);
        return folded.equals(withoutBlanks(word)) || word.equals(spellings.get(folded));
    }

    private static List<Problem> textProblems(Column column, String text, int maxLength) {
        if (text.length() > maxLength) return problem(column, "invalid_length", text, "");
        boolean isWellFormed = text.codePoints().noneMatch(letter -> letter >= Character.MIN_SURROGATE && letter <= Character.MAX_SURROGATE);
        return isWellFormed ? List.of() : problem(column, "invalid_text", text, "");
    }

    private Object readSet(Column column, Object value) {
        Collection<?> given = value instanceof Object[] array ? Arrays.asList(array) : value instanceof Collection<?> list ? list : null;
        if (given == null) return problem(column, "invalid_type", value, "");
        if (given.size() > 10 * column.words.size()) return problem(column, "too_long", value, "");
        List<String> words = column.words.stream().map(Tables::fold).toList();
        double[] contained = new double[words.size()];
        Arrays.fill(contained, 1);
        List<Problem> problems = new ArrayList<>();
        for (Object each : given) {
            int place = each instanceof String text && text.length() <= MAX_TEXT ? words.indexOf(Tables.fold(text)) : -1;
            if (place >= 0 && isSpelling((String) each, column.words.get(place), Map.of())) contained[place] = 2;
            else if (each instanceof String text) problems.addAll(problem(column, "unknown_value", each, didYouMean(text, column.words)));
            else problems.addAll(problem(column, "invalid_item", each, ""));
        }
        return problems.isEmpty() ? contained : problems;
    }

    private Object readDate(Column column, Object value) {
        Object date = value instanceof java.sql.Date day ? day.toLocalDate() : value;
        if (!(date instanceof String || date instanceof LocalDate)) return problem(column, "invalid_type", value, "");
        List<Problem> problems = column.kind.equals("date") ? List.of() : textProblems(column, date.toString(), MAX_DATE_TEXT);
        if (!problems.isEmpty()) return problems;
        try {
            double day = LocalDate.parse(strip(date.toString())).toEpochDay();
            return day >= column.min && day <= column.max ? one(day) : problem(column, "out_of_range", value, "");
        } catch (DateTimeException fault) {
            return problem(column, "invalid_date", value, "");
        }
    }

    private Object readInstant(Column column, Object value) {
        Object instant = value instanceof java.sql.Timestamp time ? time.toInstant() : value;
        if (!(instant instanceof String || instant instanceof Instant)) return problem(column, "invalid_type", value, "");
        List<Problem> problems = textProblems(column, instant.toString(), MAX_DATE_TEXT);
        if (!problems.isEmpty()) return problems;
        try {
            Instant time = OffsetDateTime.parse(strip(instant.toString())).toInstant();
            double day = Math.floorDiv(time.getEpochSecond(), 86_400);
            if (day >= FIRST_DAY && day <= LAST_DAY) return one(time.getEpochSecond() * 1e3 + time.getNano() / 1000 / 1e3);
        } catch (DateTimeException fault) {
            // Reported below.
        }
        return problem(column, "invalid_date", value, "");
    }

    private Object readZipcode(Column column, Object value) {
        if (!(value instanceof String || value instanceof Number)) return problem(column, "invalid_type", value, "");
        boolean isWhole = value instanceof Number number && number.doubleValue() == number.longValue();
        Matcher zipcode = ZIPCODE.matcher(isWhole ? String.format("%05d", ((Number) value).longValue()) : value.toString());
        boolean isValid = zipcode.matches() && (isWhole ? ((Number) value).longValue() <= 99_999 : value instanceof String);
        return isValid && !zipcode.group(1).equals("00000") ? one(Double.parseDouble(zipcode.group(1))) : problem(column, "invalid_zipcode", value, "");
    }

    private Object readNumber(Column column, Object value) {
        if (value instanceof String text) {
            Matcher digits = NUMBER.matcher(strip(text));
            boolean isNumber = digits.matches() && (digits.group(1).isEmpty() || column.min < 0) && (digits.group(2) == null || !column.isWhole);
            return isNumber ? readNumber(column, Double.parseDouble(strip(text)), value) : problem(column, "invalid_number", value, "");
        }
        return value instanceof Number given ? readNumber(column, given.doubleValue(), value) : problem(column, "invalid_type", value, "");
    }

    private Object readNumber(Column column, double number, Object value) {
        if (column.isWhole && number != Math.rint(number)) return problem(column, "not_an_integer", value, "");
        return number >= column.min && number <= column.max ? one(toAxis(column, number)) : problem(column, "out_of_range", value, "");
    }

    /** Converts to meters, rounded to a tenth of a millimeter as everywhere, or returns the number. */
    private static double toAxis(Column column, double number) {
        return column.factor == 1 ? number + 0.0 : Math.round(number * column.factor * 1e4) / 1e4;
    }

    private static double[] one(double number) {
        return new double[] {number};
    }

    private static double[] exactly(double number) {
        return new double[] {number, number};
    }

    /** @param others placeholders of the message, each with its text */
    private static List<Problem> problem(Column column, String key, Object value, String hint, String... others) {
        String template = column.faults.get(key) instanceof String text ? text : column.name + " is {value}, which is not valid.{hint}";
        String size = String.valueOf(value instanceof String text ? text.length() : value instanceof Collection<?> list ? list.size() : 0);
        String code = key.equals("invalid_item") ? "invalid_type" : key.equals("year") ? "out_of_range" : key;
        for (int i = 0; i < others.length; i += 2) template = template.replace(others[i], others[i + 1]);
        return List.of(new Problem(code, template.replace("{hint}", hint).replace("{length}", size).replace("{value}", Json.quote(value))));
    }

    /** Returns a sentence with the first of the nearest candidates, or the empty string if each differs by more than a third of its letters. */
    private static String didYouMean(String text, Collection<String> candidates) {
        String best = null;
        int minSteps = Integer.MAX_VALUE;
        String folded = withoutBlanks(text);
        for (String candidate : text.length() > MAX_SUGGESTED ? List.<String>of() : candidates) {
            String other = withoutBlanks(candidate);
            int steps = steps(folded, other);
            if (candidate.length() > MAX_SUGGESTED || steps > Math.max(1, Math.max(folded.length(), other.length()) / 3) || steps >= minSteps) continue;
            best = candidate;
            minSteps = steps;
        }
        return best == null ? "" : " Did you mean \"" + best + "\"?";
    }

    private static String withoutBlanks(String text) {
        return text.toLowerCase(Locale.ROOT).replaceAll("[\\s_.\\u00a0\\u00ad\\u200b-\\u200d\\u2010-\\u2015\\u2212\\ufeff-]+", "");
    }

    /** The Levenshtein distance. */
    private static int steps(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j < row.length; j++) row[j] = j;
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j - 1], row[j]));
            }
        }
        return row[b.length()];
    }

    /** Rows of a batch as numbers of the tables. Reused for the next rows. */
    final class Block {
        final List<Artifact.Fault> faults = new ArrayList<>();
        private final Artifact.Columns batch;
        private final Tables.Work work = tables.new Work();
        /** By input, then row. NaN is unknown. */
        private final double[][] low;
        private final double[][] high;
        private final double[] asOf;
        private final double[] days;
        private final double[] state;
        private final double[] county;
        private final double[] type;
        private final int[] intervals;
        private final boolean[] isInvalid;
        private int start;
        private int rows;
        private boolean isOpen;

        Block(Artifact.Columns batch, int size) {
            this.batch = batch;
            low = new double[tables.inputs.length][size];
            high = new double[tables.inputs.length][size];
            asOf = new double[size];
            days = new double[size];
            state = new double[size];
            county = new double[size];
            type = new double[size];
            intervals = new int[size];
            isInvalid = new boolean[size];
        }

        void fail(int row, String column, String code, String message) {
            faults.add(new Artifact.Fault(start + row, column, code, message));
            isInvalid[row] = true;
        }

        private void fail(int row, Column column, List<Problem> problems) {
            for (Problem each : problems) fail(row, column.name, each.code, each.message);
        }

        /** Reads rows of the batch. */
        void fill(int start, int rows) {
            if (start > 0) Arrays.fill(isInvalid, false);
            this.start = start;
            this.rows = rows;
            for (double[] values : low) Arrays.fill(values, Double.NaN);
            for (double[] values : List.of(asOf, days, state, county, type)) Arrays.fill(values, Double.NaN);
            for (Column column : columns.values()) {
                fill(column, batch.values.get(column.name));
                if (column.kind.equals("effective_date")) chooseDates();
            }
            for (Object pair : Json.list(manifest, "given_together")) checkGivenTogether((String) ((List<?>) pair).get(0), (String) ((List<?>) pair).get(1));
            for (int i = 0; i < low.length; i++) {
                if (tables.inputs[i].form() != 0 && tables.inputs[i].base() < 0) chooseYears(i, columns.get(Json.text(entries.get(i), "column")));
            }
            if (byName.containsKey("as_of")) System.arraycopy(asOf, 0, low[byName.get("as_of")], 0, rows);
            for (int i = 0; i < low.length; i++) System.arraycopy(low[i], 0, high[i], 0, rows);
            batch.ranges.forEach(this::addRange);
            for (int row = 0; row < rows; row++) if (!isInvalid[row]) tables.complete(low, high, row, yearOf(row));
            for (int i = 0; i < low.length; i++) {
                boolean isDerived = tables.inputs[i].base() >= 0 || DERIVATIONS.stream().anyMatch(entries.get(i)::containsKey);
                for (int row = 0; row < rows && isDerived; row++) {
                    if (isInvalid[row] || low[i][row] == low[i][row]) continue;
                    double[] range = derive(entries.get(i), tables.inputs[i].base(), row);
                    low[i][row] = range[0];
                    high[i][row] = range[1];
                }
            }
        }

        /** Returns the range of an input that follows from others. */
        private double[] derive(Map<String, Object> entry, int base, int row) {
            isOpen = false;
            if (entry.containsKey("program")) return compute(entry.get("program"), row);
            if (entry.containsKey("test")) return test(Json.object(entry, "test"), row);
            if (entry.containsKey("moment")) return exactly(days[row] - dayOf(asOf[row], row));
            if (!entry.containsKey("by_count")) return new double[] {low[base][row], high[base][row]};
            Map<String, Object> byCount = Json.object(entry, "by_count");
            int count = Json.number(byCount.get("input"));
            List<?> ranges = Json.list(byCount, "ranges");
            boolean isKnown = low[count][row] == high[count][row] && low[count][row] >= 0 && low[count][row] < ranges.size();
            return isKnown ? ((List<?>) ranges.get((int) low[count][row])).stream().mapToDouble(Double.class::cast).toArray() : exactly(Double.NaN);
        }

        /** Returns the day of an instant in the state of the row. */
        private long dayOf(double instant, int row) {
            ZoneId zone = state[row] == state[row] ? zones[(int) state[row]] : ZoneOffset.UTC;
            return Instant.ofEpochMilli((long) Math.floor(instant)).atZone(zone).toLocalDate().toEpochDay();
        }

        private Object valueAt(Object data, int row) {
            return data instanceof double[] numbers ? (Object) numbers[start + row] : data instanceof Object[] values ? values[start + row] : data;
        }

        private void fill(Column column, Object data) {
            boolean isState = column.kind.equals("state");
            boolean isCounty = column.kind.equals("county");
            double[] own = isState ? state : isCounty ? county : column.kind.equals("as_of") ? asOf : column.kind.equals("effective_date") ? days
                    : column.kind.equals("policy_type") ? type : null;
            boolean isPlain = data instanceof double[] && own == null && column.kind.equals("number");
            for (int row = 0; row < rows; row++) {
                if (isPlain && isPlain(column, ((double[]) data)[start + row], low[column.inputs[0]][row])) {
                    low[column.inputs[0]][row] = toAxis(column, ((double[]) data)[start + row]);
                    continue;
                }
                Object value = valueAt(data, row);
                int group = isCounty && state[row] == state[row] ? (int) state[row] : 0;
                if (isMissing(value)) {
                    if (own == state || own == type) fail(row, column, problem(column, "required", null, ""));
                    if (isCounty) county[row] = 0;
                } else if (!isCounty || state[row] == state[row]) {
                    put(column, row, own, value instanceof String text ? readText(column, text, group) : read(column, value, group));
                }
            }
        }

        /** True if a number can be used as it is, and no other column gave the input. */
        private static boolean isPlain(Column column, double number, double before) {
            return before != before && number >= column.min && number <= column.max && (!column.isWhole || number == Math.rint(number));
        }

        @SuppressWarnings("unchecked")
        private void put(Column column, int row, double[] own, Object read) {
            if (read instanceof List) {
                fail(row, column, (List<Problem>) read);
                return;
            }
            double[] numbers = (double[]) read;
            if (own != null) own[row] = numbers[0];
            for (int i = 0; i < column.inputs.length; i++) {
                if (column.inputs[i] < 0) continue;
                double[] target = low[column.inputs[i]];
                if (target[row] == target[row]) failTwice(column, row);
                target[row] = numbers[i];
            }
        }

        private void failTwice(Column column, int row) {
            String other = columns.values().stream().filter(each -> Arrays.equals(each.inputs, column.inputs) && !isMissing(valueAt(batch.values.get(each.name), row))).findFirst().get().name;
            String template = Json.text(faultsOf("distance"), "distance_given_twice");
            fail(row, column.name, "distance_given_twice", template.replace("{column}", column.name).replace("{other}", other));
        }

        private void chooseDates() {
            double now = Instant.now().toEpochMilli();
            for (int row = 0; row < rows; row++) {
                if (asOf[row] != asOf[row]) asOf[row] = now;
                if (days[row] != days[row]) days[row] = dayOf(asOf[row], row);
                intervals[row] = row > 0 && days[row] == days[row - 1] ? intervals[row - 1] : tables.intervalOf((int) days[row]);
                if (intervals[row] < 0)
                    fail(row, columns.get("effective_date"), problem(columns.get("effective_date"), "dates_not_covered", LocalDate.ofEpochDay((long) days[row]), ""));
            }
        }

        private int yearOf(int row) {
            return intervals[row] < 0 ? LocalDate.ofEpochDay((long) days[row]).getYear() : tables.intervals[intervals[row]].effectiveYear();
        }

        private void checkGivenTogether(String a, String b) {
            Object first = batch.values.get(a);
            Object second = batch.values.get(b);
            for (int row = 0; row < rows; row++) {
                boolean isFirst = !isMissing(valueAt(first, row));
                if (isFirst != isMissing(valueAt(second, row))) continue;
                String absent = isFirst ? b : a;
                fail(row, absent, "required_with", Json.text(faultsOf(absent), "required_with"));
            }
        }

        /** Replaces ages and years of two digits by years. */
        private void chooseYears(int input, Column column) {
            boolean isAge = tables.inputs[input].form() == 2;
            for (int row = 0; row < rows; row++) {
                double value = low[input][row];
                if (value != value) continue;
                int year = yearOf(row);
                double read = isAge ? value <= OLDEST_AGE ? year - value : value : value <= 99 ? value + Math.floor((year + 1 - value) / 100) * 100 : value;
                low[input][row] = read;
                if (!(read >= tables.inputs[input].lowest() && read <= year + 1)) fail(row, column, problem(column, "year", value, "", "{next_year}", String.valueOf(year + 1)));
            }
        }

        private void addRange(String name, double[][] ends) {
            int index = byName.get(name);
            Tables.Input input = tables.inputs[index];
            for (int row = 0; row < rows; row++) {
                double lower = Math.max(ends[0][start + row], input.lowest());
                double upper = Math.min(ends[1][start + row], input.highest(yearOf(row)));
                if (input.isWhole()) {
                    lower = Math.ceil(lower);
                    upper = Math.floor(upper);
                }
                if (low[index][row] == low[index][row] || !(lower <= upper)) continue;
                low[index][row] = lower;
                high[index][row] = upper;
            }
        }

        /** Returns the range of a program: a number, the name of a field, an age, or an operation, by interval arithmetic. */
        private double[] compute(Object program, int row) {
            if (program instanceof Double number) return exactly(number);
            if (program instanceof String name) {
                int index = byName.get(name);
                double lower = low[index][row];
                isOpen |= lower != lower;
                return lower == lower ? new double[] {lower, high[index][row]}
                        : new double[] {tables.inputs[index].lowest(), tables.inputs[index].highest(yearOf(row))};
            }
            Map<String, Object> node = Json.object(program);
            if (node.containsKey("age_of")) {
                double[] years = compute(node.get("age_of"), row);
                return new double[] {Math.max(0, yearOf(row) - years[1]), Math.max(0, yearOf(row) - years[0])};
            }
            double[] range = null;
            for (Object operand : Json.list(node, "of")) range = range == null ? compute(operand, row) : apply(Json.text(node, "apply"), range, compute(operand, row));
            return range;
        }

        /** Returns 1 if a test of two programs holds, 0 if it fails, NaN if it is open. A test of an unknown fact is open. */
        private double[] test(Map<String, Object> test, int row) {
            double[] a = compute(Json.list(test, "of").get(0), row);
            double[] b = compute(Json.list(test, "of").get(1), row);
            String operator = Json.text(test, "operator");
            boolean isLess = operator.startsWith("lessThan");
            double[] high = isLess ? b : a;
            double[] low = isLess ? a : b;
            boolean isInclusive = operator.endsWith("Inclusive");
            boolean isUndecided = isOpen || !operator.matches("(less|greater)Than(Inclusive)?") || a[0] < a[1] && b[0] < b[1] && a[0] <= b[1] && b[0] <= a[1];
            boolean holds = isInclusive ? high[0] >= low[1] : high[0] > low[1];
            boolean fails = isInclusive ? high[1] < low[0] : high[1] <= low[0];
            double outcome = isUndecided ? Double.NaN : holds ? 1 : fails ? 0 : Double.NaN;
            return exactly(outcome);
        }

        private static double[] apply(String name, double[] a, double[] b) {
            switch (name) {
                case "add": return new double[] {a[0] + b[0], a[1] + b[1]};
                case "subtract": return new double[] {a[0] - b[1], a[1] - b[0]};
                case "min": return new double[] {Math.min(a[0], b[0]), Math.min(a[1], b[1])};
                case "max": return new double[] {Math.max(a[0], b[0]), Math.max(a[1], b[1])};
                default:
                    double[] corners = {a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1]};
                    for (int i = 0; name.equals("percent_of") && i < 4; i++) corners[i] /= 100;
                    Arrays.sort(corners);
                    return new double[] {corners[0], corners[3]};
            }
        }

        /** Writes the statuses of the rows. */
        void writeStatuses(byte[] out) {
            for (int row = 0; row < rows; row++) {
                int from = (start + row) * carriers.size();
                Arrays.fill(out, from, from + carriers.size(), (byte) (isInvalid[row] ? Artifact.Status.INVALID.ordinal() : 0));
                if (!isInvalid[row]) tables.writeStatuses(typeOf(row), (int) state[row], (int) county[row], low, high, row, work, out, from);
            }
        }

        private Tables.Type typeOf(int row) {
            return tables.intervals[intervals[row]].types()[(int) type[row]];
        }

        /** Explains the statuses of the first row. */
        Map<String, Artifact.Explanation> explain() {
            Map<String, Artifact.Explanation> explanations = new LinkedHashMap<>();
            if (isInvalid[0]) return explanations;
            byte[] codes = new byte[carriers.size()];
            writeStatuses(codes);
            byte[] holds = tables.reasons(typeOf(0), (int) state[0], (int) county[0], low, high, 0, work);
            List<?> places = Json.list(Json.objects(Json.objects(manifest, "intervals").get(intervals[0]), "types").get((int) type[0]), "reasons");
            // By carrier, outcome, and whether the rule holds or may hold.
            Map<String, List<Map<String, Object>>> byAnswer = new HashMap<>();
            for (int i = 0; i < holds.length; i++) {
                if (holds[i] == 0) continue;
                Map<String, Object> rule = rules.get(Json.number(places.get(i)));
                byAnswer.computeIfAbsent(Json.number(rule.get("carrier")) + Json.text(rule, "outcome") + holds[i], key -> new ArrayList<>()).add(rule);
            }
            for (int carrier = 0; carrier < codes.length; carrier++)
                explanations.put(carriers.get(carrier), explain(carrier, Artifact.Status.values()[codes[carrier]], byAnswer));
            return explanations;
        }

        private Artifact.Explanation explain(int carrier, Artifact.Status status, Map<String, List<Map<String, Object>>> byAnswer) {
            boolean isOpen = status == Artifact.Status.NEEDS_INFORMATION;
            String outcome = status == Artifact.Status.REFERRAL ? "refer" : "decline";
            if (!isOpen && status != Artifact.Status.REFERRAL && status != Artifact.Status.INELIGIBLE) return new Artifact.Explanation(status, List.of(), List.of());
            List<Map<String, Object>> possible = byAnswer.getOrDefault(carrier + outcome + 1, List.of());
            if (!isOpen) {
                List<Map<String, Object>> chosen = byAnswer.getOrDefault(carrier + outcome + 2, possible);
                return new Artifact.Explanation(status, chosen.stream().map(rule -> new Artifact.Reason(Json.text(rule, "id"), Json.text(rule, "code"), outcome,
                        Json.text(rule, "message"))).toList(), List.of());
            }
            Set<String> missing = new LinkedHashSet<>();
            for (Map<String, Object> rule : possible.isEmpty() ? byAnswer.getOrDefault(carrier + "refer" + 1, possible) : possible) addMissing(rule, missing);
            return new Artifact.Explanation(status, List.of(), List.copyOf(missing));
        }

        private void addMissing(Map<String, Object> rule, Set<String> missing) {
            int before = missing.size();
            for (Object each : Json.list(rule, "inputs")) {
                int input = Json.number(each);
                Map<String, Object> entry = entries.get(input);
                if (low[input][0] == high[input][0]) continue;
                if (entry.get("kind").equals("host")) missing.add(Json.text(entry, "name"));
                else if (!entry.containsKey("needs")) missing.add(Json.text(entry, "column"));
                for (String need : Json.texts(entry, "needs")) missing.add(byName.containsKey(need) ? Json.text(entries.get(byName.get(need)), "column") : need);
            }
            if (missing.size() == before && county[0] <= 0) missing.add("county");
        }
    }
}
