import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import leeward.Artifact;

/** As reader-process.ts, for the Java reader: {@code ReadHomes FOLDER}. Reads book.csv, which has no quotes. */
public final class ReadHomes {
    private static final int BLOCK_ROWS = 50_000;

    public static void main(String[] words) throws Exception {
        Path folder = Path.of(words[0]);
        Artifact artifact = Artifact.open(folder.resolve("home.leeward"));
        List<String> lines = Files.readAllLines(folder.resolve("book.csv"));
        String[] names = lines.get(0).split(",");
        int rows = lines.size() - 1;
        int carriers = artifact.carriers().size();
        byte[] codes = new byte[rows * carriers];
        long nanos = 0;
        for (int from = 0; from < rows; from += BLOCK_ROWS) {
            int count = Math.min(BLOCK_ROWS, rows - from);
            Artifact.Columns columns = columnsOf(names, lines.subList(from + 1, from + 1 + count));
            byte[] out = new byte[count * carriers];
            long before = cpuNanos();
            List<Artifact.Fault> faults = artifact.evaluate(columns, out);
            nanos += cpuNanos() - before;
            if (!faults.isEmpty()) throw new IllegalStateException(faults.get(0).toString());
            System.arraycopy(out, 0, codes, from * carriers, out.length);
        }
        Files.write(folder.resolve("java.codes"), codes);
        String peak = Files.readAllLines(Path.of("/proc/self/status")).stream().filter(line -> line.startsWith("VmHWM")).findFirst().orElse("VmHWM: 0 kB");
        double memory = Double.parseDouble(peak.replaceAll("\\D+", "")) / 1024;
        System.out.println("{\"rows\": " + rows + ", \"micros\": " + nanos / 1000 + ", \"memory\": " + memory + "}");
    }

    private static long cpuNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    private static Artifact.Columns columnsOf(String[] names, List<String> lines) {
        String[][] cells = lines.stream().map(line -> line.split(",", -1)).toArray(String[][]::new);
        Artifact.Columns columns = new Artifact.Columns(cells.length).set("as_of", "2026-11-20T12:00:00Z");
        for (int place = 0; place < names.length; place++) {
            int at = place;
            String[] texts = Arrays.stream(cells).map(row -> row[at].isEmpty() ? null : row[at]).toArray(String[]::new);
            boolean isNumber = Arrays.stream(texts).allMatch(text -> text == null || text.matches("-?[0-9.]+"));
            if (isNumber) columns.set(names[at], Arrays.stream(texts).mapToDouble(text -> text == null ? Double.NaN : Double.parseDouble(text)).toArray());
            else columns.set(names[at], texts);
        }
        return columns;
    }
}
