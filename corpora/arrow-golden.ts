/**
 * Reads the JSON form of Arrow's integration tests, the expected values of its files:
 * https://arrow.apache.org/docs/format/Integration.html#json-test-data-format
 */

interface GoldenType {
  readonly name: string;
  readonly precision?: string;
  readonly scale?: number;
  readonly unit?: string;
  readonly timezone?: string;
  readonly listSize?: number;
}

interface GoldenField {
  readonly name: string;
  readonly type: GoldenType;
  readonly children?: readonly GoldenField[];
  readonly dictionary?: { readonly id: number };
}

interface GoldenView {
  readonly SIZE: number;
  readonly INLINED?: string;
  readonly BUFFER_INDEX?: number;
  readonly OFFSET?: number;
}

interface GoldenColumn {
  readonly count: number;
  readonly VALIDITY?: readonly number[];
  readonly DATA?: readonly (number | string | boolean)[];
  readonly OFFSET?: readonly (number | string)[];
  readonly VIEWS?: readonly GoldenView[];
  readonly VARIADIC_DATA_BUFFERS?: readonly string[];
  readonly children?: readonly GoldenColumn[];
}

interface GoldenFile {
  readonly schema: { readonly fields: readonly GoldenField[] };
  readonly batches: readonly { readonly count: number; readonly columns: readonly GoldenColumn[] }[];
  readonly dictionaries?: readonly {
    readonly id: number;
    readonly data: { readonly columns: readonly GoldenColumn[] };
  }[];
}

/** A column of an Arrow file; `values` is undefined for types that a book does not have. */
export interface ExpectedColumn {
  readonly name: string;
  readonly typeName: string;
  readonly values: readonly unknown[] | undefined;
}

/** Types without a form in a request. */
const unreadTypes = /^(time|duration|interval|union|map|runendencoded|listview|largelistview)$/;

/** The columns of a file, with values as in a request. */
export function readGolden(file: GoldenFile): ExpectedColumn[] {
  const words = new Map((file.dictionaries ?? []).map(({ id, data }) => [id, data.columns[0]!]));
  const valuesOf = (field: GoldenField, column: GoldenColumn): unknown[] => {
    const present = (row: number) => column.VALIDITY?.[row] !== 0;
    const value = field.dictionary ? wordReader(field, field.dictionary.id, column) : reader(field, column);
    return Array.from({ length: column.count }, (_, row) => (present(row) ? value(row) : null));
  };
  const wordReader = ({ dictionary: _, ...field }: GoldenField, id: number, { DATA: codes = [] }: GoldenColumn) => {
    const values = words.has(id) ? valuesOf(field, words.get(id)!) : [];
    return (row: number) => values[Number(codes[row])];
  };
  const reader = ({ type, children = [] }: GoldenField, column: GoldenColumn): ((row: number) => unknown) => {
    const { DATA: data = [] } = column;
    const nested = children.map((child, place) => [child.name, valuesOf(child, column.children![place]!)] as const);
    switch (type.name) {
      case 'null':
        return () => null;
      case 'bool':
        return (row) => Boolean(data[row]);
      case 'int':
        return (row) => Number(data[row]);
      case 'floatingpoint':
        return (row) => (type.precision === 'SINGLE' ? Math.fround(Number(data[row])) : Number(data[row]));
      case 'decimal':
        return (row) => Number(`${data[row]}e${-(type.scale ?? 0)}`);
      case 'date':
        return (row) => dateOf(Number(data[row]), type.unit === 'DAY');
      case 'timestamp':
        return (row) => timeOf(BigInt(data[row] as string), type.unit!, type.timezone);
      case 'utf8':
      case 'largeutf8':
        return (row) => data[row];
      case 'binary':
      case 'largebinary':
      case 'fixedsizebinary':
        return (row) => Buffer.from(data[row] as string, 'hex').toString('utf8');
      case 'utf8view':
      case 'binaryview':
        return (row) => viewOf(column, row, type.name === 'utf8view');
      case 'list':
      case 'largelist':
        return (row) => nested[0]![1].slice(Number(column.OFFSET![row]), Number(column.OFFSET![row + 1]));
      case 'fixedsizelist':
        return (row) => nested[0]![1].slice(row * type.listSize!, (row + 1) * type.listSize!);
      case 'struct':
        return (row) => Object.fromEntries(nested.map(([name, values]) => [name, values[row]]));
      default:
        throw new Error(`${type.name} is not known`);
    }
  };
  return file.schema.fields.map((field, place) => ({
    name: field.name,
    typeName: field.type.name,
    values: isUnread(field) ? undefined : file.batches.flatMap(({ columns }) => valuesOf(field, columns[place]!)),
  }));
}

function isUnread({ type, children = [] }: GoldenField): boolean {
  return unreadTypes.test(type.name) || children.some(isUnread);
}

function viewOf({ VIEWS: views, VARIADIC_DATA_BUFFERS: buffers }: GoldenColumn, row: number, isText: boolean): string {
  const { SIZE: size, INLINED: inlined, BUFFER_INDEX: index, OFFSET: offset } = views![row]!;
  if (inlined !== undefined) return isText ? inlined : Buffer.from(inlined, 'hex').toString('utf8');
  return Buffer.from(buffers![index!]!, 'hex').toString('utf8', offset!, offset! + size);
}

const MS_A_DAY = 86_400_000;

function dateOf(value: number, isDays: boolean): string {
  const instant = new Date(isDays ? value * MS_A_DAY : value);
  if (Number.isNaN(instant.getTime())) return String(isDays ? value * MS_A_DAY : value);
  const text = instant.toISOString();
  return isDays || value % MS_A_DAY === 0 ? text.replace(/T.*/, '') : text;
}

const unitsASecond: Readonly<Record<string, bigint>> = {
  SECOND: 1n,
  MILLISECOND: 1000n,
  MICROSECOND: 1_000_000n,
  NANOSECOND: 1_000_000_000n,
};

/** Rounded down to a millisecond, but a moment after a full second to the next one: midnight is read as a date. */
function timeOf(value: bigint, unit: string, timezone: string | undefined): string {
  const perSecond = unitsASecond[unit]!;
  const second = value >= 0n ? value / perSecond : -((perSecond - 1n - value) / perSecond);
  const rest = value - second * perSecond;
  const ms = Number((rest * 1000n) / perSecond) || (rest > 0n ? 1 : 0);
  const instant = new Date(Number(second) * 1000 + ms);
  // Outside the years of JavaScript.
  if (Number.isNaN(instant.getTime())) return String(Number(second) * 1000 + ms);
  const utc = instant.toISOString();
  if (timezone === undefined || timezone === 'UTC') return utc;
  // The Swedish form of a time is that of ISO 8601.
  const local = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, timeStyle: 'medium' }).format(instant);
  const [hours, mins, seconds] = local.split(':').map(Number);
  const ahead = (hours! * 3600 + mins! * 60 + seconds!) * 1000 - (Number(second) * 1000 - startOfDay(instant));
  // Zones are less than half a day away from UTC here.
  const minutes = Math.trunc((((ahead + 1.5 * MS_A_DAY) % MS_A_DAY) - MS_A_DAY / 2) / 60_000);
  const away = Math.abs(minutes);
  const zone = `${minutes < 0 ? '-' : '+'}${String(Math.floor(away / 60)).padStart(2, '0')}:${String(away % 60).padStart(2, '0')}`;
  return new Date(instant.getTime() + minutes * 60_000).toISOString().replace('Z', minutes === 0 ? 'Z' : zone);
}

const startOfDay = (instant: Date) => new Date(instant).setUTCHours(0, 0, 0, 0);
