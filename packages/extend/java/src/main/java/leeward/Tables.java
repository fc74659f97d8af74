package leeward;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The table image of an artifact, and the evaluation of one row. The constructor checks every offset, so that evaluation stays inside
 * its arrays. Immutable.
 *
 * <p>Idea: a carrier is one bit (a lane) of a 64-bit word. Each cell of an axis has a row of words, one for each plane. A plane has at
 * most one term of each carrier: its outcome is the AND of the words of its axes. A home with unknown values is a box of cells: the OR
 * over the cells of an axis gives the lanes whose term is possible, the AND those whose term is certain.
 */
final class Tables {
    /** The county is not in the state. */
    static final int NO_COUNTY = -1;
    /** Result of {@link #find} for a text that is not in the list. */
    static final int UNKNOWN = Integer.MIN_VALUE;

    private static final int VERSION = 1;
    private static final int FIRST_YEAR = 1600;
    private static final long MAX_OVERLAP = 64;
    private static final int MAX_PLACE_TEXT = 120;
    private static final Pattern DROPPED = Pattern.compile("['’‘ʼʻ`()\\[\\]\\p{M}\\p{Cf}]+");
    private static final Pattern BREAKS = Pattern.compile("[\\p{P}\\s]+", Pattern.UNICODE_CHARACTER_CLASS);
    /** {@code County of Harris}. */
    private static final Pattern LINK = Pattern.compile("(.+?) (?:of|de) (.+)");
    private static final Pattern IGNORED = Pattern.compile("[\\p{M}\\p{P}\\p{Cf}\\s`ʼʻ]+", Pattern.UNICODE_CHARACTER_CLASS);

    record Input(boolean isWord, int form, boolean isWhole, int words, double min, double max, int list, int fallback, int onlyIf, int has, int base) {
        double highest(int effectiveYear) {
            return form == 0 ? max : effectiveYear + 1;
        }

        double lowest() {
            return form == 0 ? min : FIRST_YEAR;
        }
    }

    record Interval(int firstDay, int endDay, int effectiveYear, Type[] types) {}

    record Type(Group[] statuses, Group[] reasons, int reasonCount) {}

    /** The cells of possible values are {@code from} to {@code to}. */
    private record Axis(int input, double[] bounds, int firstRow, int from, int to) {
        int cellOf(double value) {
            if (bounds == null) return (int) value - 1;
            int low = 0;
            for (int high = bounds.length; high - low > 1; ) {
                int middle = (low + high) >>> 1;
                if (bounds[middle] <= value) low = middle;
                else high = middle;
            }
            return low;
        }
    }

    /** {@code byFips} has cell + 1 by FIPS code modulo 1000. */
    private record State(long offered, int otherCell, int[] byFips, int[] cells) {
        int cellOf(int fips) {
            return byFips == null || byFips[fips % 1000] == 0 ? otherCell : byFips[fips % 1000] - 1;
        }
    }

    /** {@code ends} has, for each row of an axis, the AND and the OR of the words from it to the last possible cell, then from the first to it. */
    record Group(int[] targets, Axis[] axes, int planes, int declining, int[] planeStarts, int[] planeAxes, int[] foldLanes, long[] foldMasks,
            State[] states, int firstWord, long declines, long refers, long[] ends) {}

    private record WordList(int[] starts, byte[] text, int[] codes) {}

    /** Scratch of one thread, and the lanes that {@link #run} finds. */
    final class Work {
        private final long[] combined = new long[2 * maxAxes * maxWidth];
        private final long[][] source = new long[maxAxes][];
        private final int[] at = new int[maxAxes];
        private long offered;
        private long declines;
        private long refers;
        private long mayDecline;
        private long mayRefer;
    }

    final Input[] inputs;
    /** Pairs of the lower and the higher input. */
    private final int[] relations;
    private final int[] withFallback;
    final Interval[] intervals;
    final int carrierCount;
    private final int stateCount;
    private final int typeCount;
    private final int countyList;
    private final WordList[] lists;
    private final int[][] ambiguous;
    private final ByteBuffer image;
    private final long[] words;
    private final Map<Long, Object> kept = new HashMap<>();
    private long readBytes;
    private int maxAxes = 1;
    private int maxWidth = 2;

    Tables(byte[] bytes) {
        image = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        check(bytes.length >= 128 && word(0) == 0x3154574C, "has another magic number");
        if (word(4) > VERSION) throw Artifact.newer("its table image", word(4), VERSION);
        check(word(4) == VERSION && word(8) == bytes.length, "has another length than it states");
        words = new long[bytes.length / 8];
        image.asLongBuffer().get(words);
        stateCount = word(28);
        typeCount = word(40);
        carrierCount = word(44);
        check(stateCount > 0 && stateCount < 255 && typeCount > 0 && typeCount < 255 && carrierCount >= 0 && carrierCount < 65536, "has impossible counts");
        inputs = records(word(16), word(12), 64, Input[]::new, this::input);
        relations = ints(word(24), 2L * word(20));
        lists = records(word(52), word(48), 16, WordList[]::new, this::list);
        ambiguous = records(word(60), word(56), 4, int[][]::new, at -> ints(word(at) + 4, word(word(at))));
        countyList = word(64);
        check(countyList >= -1 && countyList < lists.length && lists.length >= 2, "has no lists of words");
        for (Input input : inputs) checkInput(input);
        withFallback = IntStream.range(0, inputs.length).filter(i -> inputs[i].fallback > 0).toArray();
        for (int input : relations) check(isInput(input) && !inputs[input].isWord, "has a relation of an unknown input");
        for (int[] counties : ambiguous) for (int fips : counties) check(fips > 0, "has an impossible county");
        intervals = records(word(36), word(32), 16, Interval[]::new, this::interval);
        kept.clear();
    }

    private static void check(boolean isValid, String problem) {
        if (!isValid) throw Artifact.damaged("its table image " + problem);
    }

    private boolean isInput(int index) {
        return index >= 0 && index < inputs.length;
    }

    private int span(int at, long bytes) {
        check(at >= 0 && bytes >= 0 && at + bytes <= image.capacity(), "points outside itself");
        return at;
    }

    private int word(int at) {
        return image.getInt(span(at, 4));
    }

    /** Overlapping records could multiply the memory, so their sum is bounded. */
    private void spend(int at, long bytes) {
        readBytes += span(at, bytes) - at + bytes;
        check(readBytes <= MAX_OVERLAP * image.capacity(), "has overlapping records");
    }

    private <T> T[] records(int at, int count, int bytes, IntFunction<T[]> create, IntFunction<T> read) {
        spend(at, (long) count * bytes);
        T[] all = create.apply(count);
        for (int i = 0; i < count; i++) all[i] = read.apply(at + i * bytes);
        return all;
    }

    /** Copies an array once, however many records point to it. */
    @SuppressWarnings("unchecked")
    private <T> T copy(int at, long count, int bytes, IntFunction<T> read) {
        span(at, count * bytes);
        return (T) kept.computeIfAbsent((long) at << 32 | count << 4 | bytes, key -> {
            spend(at, count * bytes);
            return read.apply((int) count);
        });
    }

    private int[] ints(int at, long count) {
        return copy(at, count, 4, size -> IntStream.range(0, size).map(i -> image.getInt(at + 4 * i)).toArray());
    }

    private int[] shorts(int at, long count) {
        return copy(at, count, 2, size -> IntStream.range(0, size).map(i -> image.getChar(at + 2 * i)).toArray());
    }

    private double[] doubles(int at, long count) {
        return copy(at, count, 8, size -> IntStream.range(0, size).mapToDouble(i -> image.getDouble(at + 8 * i)).toArray());
    }

    private Input input(int at) {
        return new Input(word(at) == 1, word(at + 4), word(at + 8) != 0, word(at + 12), image.getDouble(at + 16), image.getDouble(at + 24), word(at + 32),
                word(at + 36), word(at + 40), word(at + 44), word(at + 48));
    }

    private void checkInput(Input input) {
        check(input.list >= -1 && input.list < lists.length && input.form >= 0 && input.form <= 2, "has an impossible input");
        check(input.words >= 0 && input.words < 65536 && input.fallback >= 0 && input.fallback <= input.words, "has an impossible word");
        check(input.onlyIf == -1 || isInput(input.onlyIf), "has a fallback of an unknown input");
        check(input.base == -1 || isInput(input.base) && inputs[input.base].isWord == input.isWord, "has an unknown base");
        check(input.isWord || input.min <= input.max, "has an impossible range");
    }

    private WordList list(int at) {
        int count = word(at);
        int[] starts = ints(word(at + 4), count + 1L);
        for (int i = 0; i < count; i++) check(starts[i] >= 0 && starts[i] <= starts[i + 1], "has an unordered list of words");
        int from = word(at + 8);
        return new WordList(starts, copy(from, starts[count], 1, size -> Arrays.copyOfRange(image.array(), from, from + size)), ints(word(at + 12), count));
    }

    private Interval interval(int at) {
        int year = word(at + 8);
        check(word(at) < word(at + 4) && year >= 0 && year <= 9999, "has an impossible interval");
        return new Interval(word(at), word(at + 4), year, records(word(at + 12), typeCount, 32, Type[]::new, type -> type(type, year)));
    }

    private Type type(int at, int year) {
        int reasons = word(at + 16);
        return new Type(groups(word(at + 4), word(at), year, carrierCount, true), groups(word(at + 12), word(at + 8), year, reasons, false), reasons);
    }

    private Group[] groups(int at, int count, int year, int targets, boolean isFast) {
        check(targets >= 0 && targets < 65536, "has too many reasons");
        return records(at, count, 4, Group[]::new, offset -> {
            long key = -1L - ((long) word(offset) << 14 | year);
            if (!kept.containsKey(key)) kept.put(key, group(word(offset), year, isFast));
            Group group = (Group) kept.get(key);
            for (int target : group.targets) check(target < targets, "has an unknown carrier or reason");
            return group;
        });
    }

    private Group group(int at, int year, boolean isFast) {
        span(at, 96);
        int lanes = word(at);
        int planes = word(at + 16);
        int placeCells = word(at + 40);
        int rows = word(at + 52);
        check(lanes >= 0 && lanes <= 64 && planes >= 0 && word(at + 20) >= 0 && word(at + 20) <= planes, "has impossible planes");
        check(placeCells >= 0 && placeCells <= rows && word(at + 48) % 8 == 0 && planes < 1 << 20, "has impossible rows");
        span(word(at + 48), 8L * rows * (2 + planes));
        Axis[] axes = records(word(at + 12), word(at + 8), 32, Axis[]::new, axis -> axis(axis, rows, year));
        int[] starts = ints(word(at + 24), planes + 1L);
        for (int plane = 0; plane < planes; plane++) check(starts[plane] >= 0 && starts[plane] < starts[plane + 1], "has a plane without axes");
        int[] planeAxes = shorts(word(at + 28), planes == 0 ? 0 : starts[planes]);
        for (int axis : planeAxes) check(axis <= axes.length, "has a plane on an unknown axis");
        State[] states = records(word(at + 44), stateCount, 32, State[]::new, state -> state(state, placeCells));
        int folds = word(at + 32);
        int foldsAt = word(at + 36);
        spend(foldsAt, 16L * folds);
        int[] foldLanes = new int[folds];
        long[] foldMasks = new long[folds];
        for (int i = 0; i < folds; i++) {
            foldLanes[i] = word(foldsAt + 16 * i);
            foldMasks[i] = image.getLong(foldsAt + 16 * i + 8);
            check(foldLanes[i] >= 0 && foldLanes[i] < lanes, "has a fold into an unknown lane");
        }
        maxAxes = Math.max(maxAxes, axes.length + 1);
        maxWidth = Math.max(maxWidth, 2 + planes);
        int firstWord = word(at + 48) / 8;
        long[] ends = new long[isFast ? 4 * rows * (2 + planes) : 0];
        for (Axis axis : axes) if (isFast) fillEnds(axis, firstWord, 2 + planes, ends);
        return new Group(shorts(word(at + 4), lanes), axes, planes, word(at + 20), starts, planeAxes, foldLanes, foldMasks, states, firstWord,
                image.getLong(at + 64), image.getLong(at + 72), ends);
    }

    private void fillEnds(Axis axis, int firstWord, int width, long[] ends) {
        for (int step = -1; step <= 1; step += 2) {
            int start = step < 0 ? 0 : ends.length / 2;
            for (int cell = step < 0 ? axis.to : axis.from; cell >= axis.from && cell <= axis.to; cell += step) {
                boolean isFirst = cell == (step < 0 ? axis.to : axis.from);
                for (int i = 0; i < width; i++) {
                    int at = start + 2 * width * (axis.firstRow + cell) + i;
                    long own = words[firstWord + (axis.firstRow + cell) * width + i];
                    ends[at] = isFirst ? own : own & ends[at - 2 * width * step];
                    ends[at + width] = isFirst ? own : own | ends[at + width - 2 * width * step];
                }
            }
        }
    }

    private Axis axis(int at, int rows, int year) {
        int index = word(at);
        int cells = word(at + 8);
        int firstRow = word(at + 12);
        check(isInput(index) && inputs[index].isWord == (word(at + 4) == 1), "has an axis of an unknown input");
        check(cells > 0 && firstRow >= 0 && (long) firstRow + cells <= rows, "has an axis beyond its rows");
        Input input = inputs[index];
        check(!input.isWord || cells == input.words, "has an axis with other words than its input");
        if (input.isWord) return new Axis(index, null, firstRow, 0, cells - 1);
        double[] bounds = doubles(word(at + 16), cells);
        for (int i = 1; i < cells; i++) check(bounds[i - 1] < bounds[i], "has an unordered axis");
        Axis axis = new Axis(index, bounds, firstRow, 0, 0);
        return new Axis(index, bounds, firstRow, axis.cellOf(input.lowest()), axis.cellOf(input.highest(year)));
    }

    private State state(int at, int placeCells) {
        int byFips = word(at + 12);
        State state = new State(image.getLong(at), word(at + 8), byFips == 0 ? null : shorts(byFips, 1000), shorts(word(at + 16), word(at + 20)));
        check(state.otherCell >= -1 && state.otherCell < placeCells, "has an unknown cell");
        if (byFips != 0) for (int cell : state.byFips) check(cell <= placeCells, "has an unknown cell");
        for (int cell : state.cells) check(cell < placeCells, "has an unknown cell");
        return state;
    }

    /** Returns the code of a text in a list, 0 for blank text, or {@link #UNKNOWN}. */
    int find(int list, String text) {
        return find(list, "", fold(text));
    }

    private int find(int list, String prefix, String folded) {
        if (folded.isEmpty() || list < 0) return folded.isEmpty() ? 0 : UNKNOWN;
        WordList words = lists[list];
        byte[] key = (prefix + folded).getBytes(StandardCharsets.UTF_8);
        int low = 0;
        for (int high = words.codes.length - 1; low <= high; ) {
            int middle = (low + high) >>> 1;
            int order = Arrays.compareUnsigned(words.text, words.starts[middle], words.starts[middle + 1], key, 0, key.length);
            if (order == 0) return words.codes[middle];
            if (order < 0) low = middle + 1;
            else high = middle - 1;
        }
        return UNKNOWN;
    }

    /** Returns a FIPS code, {@link #NO_COUNTY}, or −2−n for ambiguous name n. Reads {@code Harris, TX} too. */
    int findCounty(int state, String code, String text) {
        int comma = text.lastIndexOf(',');
        int named = comma < 0 ? UNKNOWN : find(0, text.substring(comma + 1));
        if (named > 0 && named != state + 1 || text.length() > MAX_PLACE_TEXT) return NO_COUNTY;
        int found = findName(code + " ", words(named > 0 ? text.substring(0, comma) : text));
        return found == 0 || found < NO_COUNTY - ambiguous.length ? NO_COUNTY : found;
    }

    /** Looks a name up as it is written, with a leading legal suffix moved behind, and without a suffix that the state's names may have. */
    private int findName(String state, String words) {
        int found = findKey(state, words.matches("\\d{4}") ? "0" + words : words);
        Matcher link = LINK.matcher(words);
        String name = words;
        if (found == UNKNOWN && link.matches() && find(countyList, state + "*", link.group(1)) > 0) {
            name = link.group(2) + " " + link.group(1);
            found = findKey(state, name);
        }
        for (int at = name.indexOf(' '); found == UNKNOWN && at > 0; at = name.indexOf(' ', at + 1)) {
            boolean isFree = find(countyList, state + "*", name.substring(at + 1)) == 1;
            if (isFree) return findKey(state, name.substring(0, at));
        }
        return found;
    }

    private int findKey(String state, String words) {
        return find(countyList, state, words.replace(" ", ""));
    }

    /** Writes the name of a county as lower-case words, as the keys of the list have them. */
    private static String words(String text) {
        String plain = Normalizer.normalize(text, Normalizer.Form.NFKD).toLowerCase(Locale.ROOT).replace("&", " and ");
        String words = BREAKS.matcher(DROPPED.matcher(plain).replaceAll("")).replaceAll(" ").trim();
        return words.replaceAll("\\bsaint\\b", "st").replaceAll("\\bsainte\\b", "ste").replaceAll("\\bft\\b", "fort").replaceAll(" (co|cnty|cty)$", " county");
    }

    /** Returns the FIPS codes behind a result of {@link #findCounty}. */
    int[] counties(int county) {
        return county > 0 ? new int[] {county} : county < NO_COUNTY ? ambiguous[-2 - county] : new int[0];
    }

    /** Removes case, accents, blanks and punctuation; {@code &} becomes {@code and}. Other characters stay, so that they match no key. */
    static String fold(String text) {
        String plain = Normalizer.normalize(text, Normalizer.Form.NFKD).toLowerCase(Locale.ROOT).replace("&", "and");
        return IGNORED.matcher(plain).replaceAll("");
    }

    /** Returns the position of the interval with a day since 1970-01-01, or −1. */
    int intervalOf(int day) {
        for (int i = 0; i < intervals.length; i++) if (day >= intervals[i].firstDay && day < intervals[i].endDay) return i;
        return -1;
    }

    /** Completes a row: fallbacks of missing words, those with a condition last, and bounds of unknown numbers. */
    void complete(double[][] low, double[][] high, int row, int effectiveYear) {
        for (int pass = 0; pass < 2; pass++) {
            for (int i : withFallback) {
                Input input = inputs[i];
                boolean applies = pass == 0 ? input.onlyIf < 0 : input.onlyIf >= 0 && low[input.onlyIf][row] == input.has;
                if (low[i][row] != low[i][row] && applies) low[i][row] = high[i][row] = input.fallback;
            }
        }
        relate(low, high, row, effectiveYear);
    }

    /** Bounds unknown numbers by relations: a roof is not older than its house. Values that contradict each other stay unchanged. */
    private void relate(double[][] low, double[][] high, int row, int year) {
        boolean isSettled = false;
        for (int pass = 0; pass < relations.length / 2 && !isSettled; pass++) {
            isSettled = true;
            for (int r = 0; r < relations.length; r += 2) {
                int lower = relations[r];
                int higher = relations[r + 1];
                Tables.Input a = inputs[lower];
                Tables.Input b = inputs[higher];
                boolean isLowUnknown = low[lower][row] != low[lower][row];
                boolean isHighUnknown = low[higher][row] != low[higher][row];
                if (isLowUnknown && isHighUnknown && a.highest(year) <= b.highest(year) && a.lowest() <= b.lowest()) continue;
                double lowMin = isLowUnknown ? a.lowest() : low[lower][row];
                double lowMax = isLowUnknown ? a.highest(year) : high[lower][row];
                double highMin = isHighUnknown ? b.lowest() : low[higher][row];
                double highMax = isHighUnknown ? b.highest(year) : high[higher][row];
                double highest = Math.min(lowMax, highMax);
                double lowest = Math.max(lowMin, highMin);
                if (highest >= lowMax && lowest <= highMin || lowMin > highest || lowest > highMax) continue;
                if (highest < lowMax) {
                    low[lower][row] = lowMin;
                    high[lower][row] = highest;
                }
                if (lowest > highMin) {
                    low[higher][row] = lowest;
                    high[higher][row] = highMax;
                }
                isSettled = false;
            }
        }
    }

    /** Writes a status code for each carrier of a policy type, at {@code out[at + carrier]}. */
    void writeStatuses(Type type, int state, int county, double[][] low, double[][] high, int row, Work work, byte[] out, int at) {
        for (Group group : type.statuses) {
            run(group, state, county, low, high, row, work);
            for (int lane = 0; lane < group.targets.length; lane++) {
                long bit = 1L << lane;
                int status = (work.offered & bit) == 0 ? 0 : (work.declines & bit) != 0 ? 4 : (work.mayDecline & bit) != 0 ? 3
                        : (work.refers & bit) != 0 ? 2 : (work.mayRefer & bit) != 0 ? 3 : 1;
                out[at + group.targets[lane]] = (byte) status;
            }
        }
    }

    /** Returns for each reason of a policy type: 0 if its rule cannot hold, 1 if it may, 2 if it holds. */
    byte[] reasons(Type type, int state, int county, double[][] low, double[][] high, int row, Work work) {
        byte[] holds = new byte[type.reasonCount];
        for (Group group : type.reasons) {
            run(group, state, county, low, high, row, work);
            for (int lane = 0; lane < group.targets.length; lane++) {
                long bit = work.offered & 1L << lane;
                holds[group.targets[lane]] = (byte) ((work.declines & bit) != 0 ? 2 : (work.mayDecline & bit) != 0 ? 1 : 0);
            }
        }
        return holds;
    }

    /**
     * Finds the lanes of a group that decline or refer a row.
     *
     * @param county as {@link #findCounty} returns it
     * @param low by input, then row: the lower end of the possible values, NaN if any is possible; words as codes
     * @param high the upper ends
     */
    private void run(Group group, int state, int county, double[][] low, double[][] high, int row, Work work) {
        int width = 2 + group.planes;
        work.offered = group.states[state].offered;
        boolean isExact = place(group, group.states[state], county, work, width);
        if (work.offered == 0) return;
        for (int a = 0; a < group.axes.length; a++) {
            Axis axis = group.axes[a];
            double lower = low[axis.input][row];
            double upper = high[axis.input][row];
            int from = lower != lower ? axis.from : axis.cellOf(lower);
            int to = lower == upper ? from : upper != upper ? axis.to : axis.cellOf(upper);
            isExact &= from >= to;
            boolean isOpen = from < to && group.ends.length > 0 && from >= axis.from && to <= axis.to;
            if (isOpen && (to == axis.to || from == axis.from)) {
                work.source[a + 1] = group.ends;
                work.at[a + 1] = to == axis.to ? 2 * width * (axis.firstRow + from) : group.ends.length / 2 + 2 * width * (axis.firstRow + to);
                continue;
            }
            work.source[a + 1] = words;
            work.at[a + 1] = group.firstWord + (axis.firstRow + from) * width;
            for (int cell = from + 1; cell <= to; cell++) combine(group, a + 1, axis.firstRow + cell, work, width);
        }
        find(group, work, 0);
        work.mayDecline = work.declines;
        work.mayRefer = work.refers;
        if (!isExact) find(group, work, width);
    }

    /** Selects the rows of the possible counties. A county without a cell counts as unknown. Returns true if there is one row. */
    private boolean place(Group group, State state, int county, Work work, int width) {
        int[] counties = county < NO_COUNTY ? ambiguous[-2 - county] : null;
        int single = county > 0 ? state.cellOf(county) : -1;
        int count = county == NO_COUNTY ? 0 : single >= 0 ? 1 : counties != null ? counties.length : state.cells.length;
        int selected = 0;
        for (int i = 0; i < count; i++) {
            int cell = single >= 0 ? single : counties != null ? state.cellOf(counties[i]) : state.cells[i];
            if (cell < 0) return place(group, state, 0, work, width);
            if (selected++ > 0) combine(group, 0, cell, work, width);
            else {
                work.source[0] = words;
                work.at[0] = group.firstWord + cell * width;
            }
        }
        if (selected == 0) work.offered = 0;
        return selected == 1;
    }

    /** Adds a row to the possible ones of an axis: first the AND of the words, then the OR. */
    private void combine(Group group, int axis, int row, Work work, int width) {
        long[] combined = work.combined;
        int at = 2 * axis * width;
        if (work.source[axis] == words) {
            System.arraycopy(words, work.at[axis], combined, at, width);
            System.arraycopy(words, work.at[axis], combined, at + width, width);
            work.source[axis] = combined;
            work.at[axis] = at;
        }
        int from = group.firstWord + row * width;
        for (int i = 0; i < width; i++) {
            combined[at + i] &= words[from + i];
            combined[at + width + i] |= words[from + i];
        }
    }

    /** Finds the certain lanes, or with the width of a row as {@code ors} the possible ones. */
    private void find(Group group, Work work, int ors) {
        long declines = group.declines;
        long refers = group.refers;
        int[] at = work.at;
        for (int axis = 0; axis <= group.axes.length; axis++) {
            if (ors > 0 && work.source[axis] != words) at[axis] += ors;
            declines |= work.source[axis][at[axis]];
            refers |= work.source[axis][at[axis] + 1];
        }
        for (int plane = 0; plane < group.planes; plane++) {
            long accepted = -1;
            for (int i = group.planeStarts[plane]; i < group.planeStarts[plane + 1]; i++) {
                int axis = group.planeAxes[i];
                accepted &= work.source[axis][at[axis] + 2 + plane];
            }
            if (plane < group.declining) declines |= accepted;
            else refers |= accepted;
        }
        for (int i = 0; i < group.foldLanes.length; i++) {
            if ((declines & group.foldMasks[i]) != 0) declines |= 1L << group.foldLanes[i];
            if ((refers & group.foldMasks[i]) != 0) refers |= 1L << group.foldLanes[i];
        }
        if (ors == 0) {
            work.declines = declines;
            work.refers = refers;
        } else {
            work.mayDecline = declines;
            work.mayRefer = refers;
        }
    }
}
