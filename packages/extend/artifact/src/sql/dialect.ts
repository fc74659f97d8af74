/** The engines for which SQL is written. Tests run the first three; Snowflake and BigQuery are only parsed. */
export const sqlDialects = ['duckdb', 'postgresql', 'clickhouse', 'snowflake', 'bigquery'] as const;
/** A dialect of `sqlDialects`. */
export type SqlDialect = (typeof sqlDialects)[number];

/** The expressions that engines write differently. Each argument `x` is an SQL expression. */
export interface DialectWriter {
  /** Quotes the name of a table, column or carrier. */
  identifier(name: string): string;
  text(value: string): string;
  /** Column of any type → text. */
  toText(x: string): string;
  /** Column of any type → floating-point number; null for anything else. Never fails. */
  toNumber(x: string): string;
  /** Column of any type → date; null for anything else. Never fails. */
  toDate(x: string): string;
  /** Column of any type → milliseconds since 1970; null for anything else. Text without an offset is UTC. Never fails. */
  toInstant(x: string): string;
  /** Milliseconds since 1970 → calendar date in a time zone. */
  dateInZone(ms: string, zone: string): string;
  readonly now: string;
  date(value: string): string;
  year(date: string): string;
  /** Days since 1970-01-01. */
  days(date: string): string;
  /** Removes accents. */
  plain(x: string): string;
  /** `\1` in the replacement is the first group. */
  replaceAll(x: string, pattern: string, replacement: string): string;
  /** Joins texts by `; `, without those that are null; null if all are. */
  joinTexts(texts: readonly string[]): string;
  /** True, false, or null if `x` is null. */
  isIn(x: string, values: readonly string[]): string;
  /** A subquery with the columns `state`, `name` and `fips`, from rows with several names separated by blanks. */
  countyRows(rows: readonly string[]): string;
  /** Starts the definition of a view. */
  createView(name: string): string;
  /** Starts a subquery: the row of the caller with all its columns. */
  readonly wholeRow: string;
  /** A column of the caller, after the first subquery. */
  callerColumn(name: string): string;
  /** The columns of the caller in the result, without those added by subqueries. */
  callerColumns(added: readonly string[]): string;
  /** The text of an empty array, if a missing array has the same. An empty array is then unknown. @default none */
  readonly missingArray?: string;
  /** True if tests are columns of a subquery, false if they are written where they are used. */
  readonly sharesTests: boolean;
  /** Ends a subquery whose expressions must be computed once a row. */
  readonly fence: string;
  readonly unknown: string;
}

const doubled = (quote: string) => (name: string) => `${quote}${name.replaceAll(quote, quote + quote)}${quote}`;
/** For engines in which a backslash begins an escape. */
const escaped = (quote: string) => (name: string) =>
  `${quote}${name.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`).replaceAll('\n', '\\n').replaceAll('\r', '\\r')}${quote}`;
const countyRows = (name: string) => (rows: readonly string[]) =>
  `(\nSELECT state, ${name} AS name, fips FROM (VALUES\n${rows.join(',\n')}\n) AS v (state, names, fips))`;
const isIn = (x: string, values: readonly string[]) => `${x} IN (${values.join(', ')})`;

const duckdb: DialectWriter = {
  identifier: doubled('"'),
  text: doubled("'"),
  toText: (x) => `CAST(${x} AS VARCHAR)`,
  toNumber: (x) =>
    `CASE WHEN typeof(${x}) <> 'BOOLEAN' THEN nullif(TRY_CAST(${x} AS DOUBLE), CAST('nan' AS DOUBLE)) END`,
  toDate: (x) => `TRY_CAST(${x} AS DATE)`,
  toInstant: (x) =>
    `epoch_ms(TRY_CAST(CASE WHEN regexp_matches(CAST(${x} AS VARCHAR), '[0-9]:.*([zZ]|[+-][0-9:]+)$') THEN CAST(${x} AS VARCHAR) ELSE CAST(${x} AS VARCHAR) || '+00' END AS TIMESTAMPTZ))`,
  dateInZone: (ms, zone) => `CAST(timezone('${zone}', to_timestamp(${ms} / 1000.0)) AS DATE)`,
  now: 'epoch_ms(current_timestamp)',
  date: (value) => `DATE '${value}'`,
  year: (date) => `year(${date})`,
  days: (date) => `(${date} - DATE '1970-01-01')`,
  plain: (x) => `strip_accents(${x})`,
  replaceAll: (x, pattern, replacement) => `regexp_replace(${x}, '${pattern}', '${replacement}', 'g')`,
  joinTexts: (texts) => `nullif(concat_ws('; ', ${texts.join(', ')}), '')`,
  isIn,
  countyRows: countyRows("unnest(string_split(names, ' '))"),
  createView: (name) => `CREATE OR REPLACE VIEW ${name} AS`,
  wholeRow: 'b.*',
  callerColumn: (name) => `p.${doubled('"')(name)}`,
  callerColumns: (added) => `p.* EXCLUDE (${added.join(', ')})`,
  sharesTests: true,
  fence: '',
  unknown: 'CAST(NULL AS BOOLEAN)',
};

const POSTGRESQL_NUMBER = '^\\s*[+-]?(\\d{1,15}(\\.\\d{0,30})?|\\.\\d{1,30})([eE][+-]?\\d{1,2})?\\s*$';
const POSTGRESQL_DATE = '^[12]\\d{3}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])([ T]|$)';
const POSTGRESQL_TIME =
  '^.{10}[ T]([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,9})?)?\\s*([zZ]|[+-](0\\d|1[0-4])(:?[0-5]\\d)?)?$';

const postgresql: DialectWriter = {
  ...duckdb,
  toText: (x) => `${x}::text`,
  toNumber: (x) => `CASE WHEN ${x}::text ~ '${POSTGRESQL_NUMBER}' THEN ${x}::text::double precision END`,
  // Adding days to the first of the month cannot fail; a day that does not exist gives another text.
  toDate: (x) =>
    `CASE WHEN ${x}::text ~ '${POSTGRESQL_DATE}' THEN CASE WHEN to_char((left(${x}::text, 7) || '-01')::date + (substr(${x}::text, 9, 2)::int - 1), 'YYYY-MM-DD') = left(${x}::text, 10) THEN left(${x}::text, 10)::date END END`,
  toInstant: (x) =>
    `CASE WHEN (${postgresql.toDate(x)}) IS NOT NULL AND ${x}::text ~ '${POSTGRESQL_TIME}' THEN floor(extract(epoch FROM (CASE WHEN ${x}::text ~ '[0-9]:.*([zZ]|[+-][0-9:]+)$' THEN ${x}::text ELSE ${x}::text || '+00' END)::timestamptz) * 1000) END`,
  dateInZone: (ms, zone) => `(to_timestamp((${ms}) / 1000.0) AT TIME ZONE '${zone}')::date`,
  now: 'floor(extract(epoch FROM current_timestamp) * 1000)',
  year: (date) => `extract(year FROM ${date})::int`,
  plain: (x) => `regexp_replace(normalize(${x}, NFKD), '[\\u0300-\\u036f]', '', 'g')`,
  countyRows: countyRows("unnest(string_to_array(names, ' '))"),
  createView: (name) => `DROP VIEW IF EXISTS ${name};\nCREATE VIEW ${name} AS`,
  wholeRow: 'b AS lw_row',
  callerColumn: (name) => `(p.lw_row).${doubled('"')(name)}`,
  callerColumns: () => '(p.lw_row).*',
  // A subquery has at most 1664 columns.
  sharesTests: false,
  fence: '\nOFFSET 0',
  unknown: 'NULL::boolean',
};

const clickhouseTime = (x: string) => `parseDateTime64BestEffortOrNull(${x}, 3, 'UTC')`;
/** The parser would read `12/01/2026` as a day of January. */
const onlyIsoDate = (x: string) =>
  `if(match(toString(${x}), '^\\\\s*[0-9]{4}-[0-9]{2}-[0-9]{2}'), trim(toString(${x})), NULL)`;

const clickhouse: DialectWriter = {
  ...duckdb,
  missingArray: '[]',
  identifier: escaped('`'),
  text: escaped("'"),
  toText: (x) => `toString(${x})`,
  toNumber: (x) => {
    const number = `toFloat64OrNull(trim(toString(${x})))`;
    return `if(isFinite(${number}), ${number}, NULL)`;
  },
  toDate: (x) => `toDate32(${clickhouseTime(`concat(substring(${onlyIsoDate(x)}, 1, 10), ' 00:00:00')`)})`,
  toInstant: (x) => `toUnixTimestamp64Milli(${clickhouseTime(onlyIsoDate(x))})`,
  dateInZone: (ms, zone) => `toDate32(fromUnixTimestamp64Milli(toInt64(${ms}), '${zone}'))`,
  now: 'toUnixTimestamp64Milli(now64(3))',
  date: (value) => `toDate32('${value}')`,
  year: (date) => `toYear(${date})`,
  days: (date) => `dateDiff('day', toDate32('1970-01-01'), ${date})`,
  plain: (x) => `normalizeUTF8NFKD(${x})`,
  replaceAll: (x, pattern, replacement) => `replaceRegexpAll(${x}, '${pattern}', ${escaped("'")(replacement)})`,
  joinTexts: (texts) =>
    `nullIf(arrayStringConcat(arrayFilter(t -> t <> '', [${texts.map((each) => `ifNull(${each}, '')`).join(', ')}]), '; '), '')`,
  // IN alone is false for null in some versions.
  isIn: (x, values) => `if(isNull(${x}), NULL, ${isIn(x, values)})`,
  countyRows: (rows) =>
    `(\nSELECT state, arrayJoin(splitByChar(' ', names)) AS name, fips FROM values('state String, names String, fips Int32',\n${rows.join(',\n')}))`,
  callerColumn: (name) => `p.${escaped('`')(name)}`,
  callerColumns: (added) => `p.* EXCEPT (${added.join(', ')})`,
  unknown: 'CAST(NULL AS Nullable(Bool))',
};

/** Snowflake stores unquoted names in upper case. */
const plainOrQuoted = (name: string) => (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : doubled('"')(name));

const snowflake: DialectWriter = {
  ...duckdb,
  identifier: plainOrQuoted,
  callerColumn: (name) => `p.${plainOrQuoted(name)}`,
  text: (value) => doubled("'")(value.replaceAll('\\', '\\\\')),
  toText: (x) => `TO_VARCHAR(${x})`,
  toNumber: (x) => `TRY_TO_DOUBLE(TRIM(TO_VARCHAR(${x})))`,
  toDate: (x) => `TRY_TO_DATE(LEFT(TO_VARCHAR(${x}), 10), 'YYYY-MM-DD')`,
  toInstant: (x) =>
    `DATE_PART(EPOCH_MILLISECOND, TRY_TO_TIMESTAMP_TZ(CASE WHEN REGEXP_LIKE(TO_VARCHAR(${x}), '.*[0-9]:.*([zZ]|[+-][0-9:]+)') THEN TO_VARCHAR(${x}) ELSE TO_VARCHAR(${x}) || '+00:00' END))`,
  dateInZone: (ms, zone) => `TO_DATE(CONVERT_TIMEZONE('UTC', '${zone}', TO_TIMESTAMP_NTZ(${ms}, 3)))`,
  now: 'DATE_PART(EPOCH_MILLISECOND, CURRENT_TIMESTAMP())',
  year: (date) => `YEAR(${date})`,
  days: (date) => `DATEDIFF(DAY, DATE '1970-01-01', ${date})`,
  plain: (x) => `TRANSLATE(${x}, 'áéíóúüñÁÉÍÓÚÜÑ', 'aeiouunAEIOUUN')`,
  replaceAll: (x, pattern, replacement) => `REGEXP_REPLACE(${x}, '${pattern}', ${escaped("'")(replacement)})`,
  countyRows: (rows) =>
    `(\nSELECT state, s.value AS name, fips FROM (VALUES\n${rows.join(',\n')}\n) AS v (state, names, fips), LATERAL SPLIT_TO_TABLE(names, ' ') AS s)`,
  joinTexts: (texts) => `NULLIF(ARRAY_TO_STRING(ARRAY_CONSTRUCT_COMPACT(${texts.join(', ')}), '; '), '')`,
};

const bigqueryText = (x: string) => `IF(${x} IS NULL, NULL, TRIM(TO_JSON_STRING(${x}), '"'))`;

const bigquery: DialectWriter = {
  ...duckdb,
  missingArray: '[]',
  identifier: escaped('`'),
  text: escaped("'"),
  toText: bigqueryText,
  toNumber: (x) => `SAFE_CAST(TRIM(${bigqueryText(x)}) AS FLOAT64)`,
  toDate: (x) => `SAFE.PARSE_DATE('%F', SUBSTR(${bigqueryText(x)}, 1, 10))`,
  toInstant: (x) => `UNIX_MILLIS(SAFE_CAST(${bigqueryText(x)} AS TIMESTAMP))`,
  dateInZone: (ms, zone) => `DATE(TIMESTAMP_MILLIS(CAST(${ms} AS INT64)), '${zone}')`,
  now: 'UNIX_MILLIS(CURRENT_TIMESTAMP())',
  year: (date) => `EXTRACT(YEAR FROM ${date})`,
  days: (date) => `UNIX_DATE(${date})`,
  plain: (x) => `NORMALIZE(${x}, NFKD)`,
  replaceAll: (x, pattern, replacement) => `REGEXP_REPLACE(${x}, r'${pattern}', r'${replacement}')`,
  joinTexts: (texts) =>
    `NULLIF(ARRAY_TO_STRING(ARRAY(SELECT t FROM UNNEST([${texts.join(', ')}]) AS t WHERE t IS NOT NULL), '; '), '')`,
  countyRows: (rows) =>
    `(\nSELECT state, name, fips FROM UNNEST([STRUCT<state STRING, names STRING, fips INT64>\n${rows.join(',\n')}\n]), UNNEST(SPLIT(names, ' ')) AS name)`,
  callerColumn: (name) => `p.${escaped('`')(name)}`,
  callerColumns: (added) => `p.* EXCEPT (${added.join(', ')})`,
  unknown: 'CAST(NULL AS BOOL)',
};

export const dialectWriters: Readonly<Record<SqlDialect, DialectWriter>> = {
  duckdb,
  postgresql,
  clickhouse,
  snowflake,
  bigquery,
};
