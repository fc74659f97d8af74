import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import leeward.Artifact;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataTypes;

/**
 * A Spark SQL function: a struct of columns becomes a map from carrier to status.
 *
 * <pre>java -cp "$JARS" EvaluateHomes home.leeward homes.json "SELECT evaluate(struct(*)) AS statuses FROM homes"</pre>
 */
public final class EvaluateHomes implements UDF1<Row, Map<String, String>> {
    private static final long serialVersionUID = 1;

    private final Artifact artifact;

    EvaluateHomes(Artifact artifact) {
        this.artifact = artifact;
    }

    /**
     * Registers the function. From Python: {@code spark._jvm.EvaluateHomes.register(spark._jsparkSession, "evaluate", path)}.
     *
     * @param spark the session
     * @param name of the function in SQL
     * @param path of the artifact, on the driver
     * @throws java.io.IOException if the artifact cannot be read
     */
    public static void register(SparkSession spark, String name, String path) throws java.io.IOException {
        EvaluateHomes function = new EvaluateHomes(Artifact.open(Path.of(path)));
        spark.udf().register(name, function, DataTypes.createMapType(DataTypes.StringType, DataTypes.StringType));
    }

    @Override
    public Map<String, String> call(Row row) {
        Map<String, Object> home = new HashMap<>();
        for (int i = 0; i < row.size(); i++) {
            boolean isList = row.schema().fields()[i].dataType() instanceof ArrayType;
            if (!row.isNullAt(i)) home.put(row.schema().fields()[i].name(), isList ? row.getList(i) : row.get(i));
        }
        return artifact.evaluate(home).statuses().entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, status -> status.getValue().name().toLowerCase()));
    }

    /**
     * Runs a query over homes in JSON lines.
     *
     * @param arguments the artifact, the file of homes, a query over the view {@code homes} with the function {@code evaluate}
     * @throws java.io.IOException if the artifact cannot be read
     */
    public static void main(String[] arguments) throws java.io.IOException {
        try (SparkSession spark = SparkSession.builder().appName("leeward").master("local[2]").getOrCreate()) {
            register(spark, "evaluate", arguments[0]);
            spark.read().json(arguments[1]).createOrReplaceTempView("homes");
            spark.sql(arguments[2]).toJSON().collectAsList().forEach(System.out::println);
        }
    }
}
