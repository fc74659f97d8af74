/**
 * Reads books, and prints a line of JSON for each: first its id, so that the caller knows which one does not end, then what was read.
 * The argument is a file of JSON with a list of `BookToRead`. Needs `--expose-gc`.
 */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream, readFileSync, writeFileSync } from 'node:fs';
import { type BookFormat, type BookSlice, type BookSource, cellOf, openBook, openBookStream } from '@leeward/books';
import { canonical } from './canonical.ts';
import { hashOf } from './hash-values.ts';

export interface BookToRead {
  readonly id: string;
  readonly path: string;
  readonly format: BookFormat;
  /** True to read it as a stream. */
  readonly isStream: boolean;
}

/** Values of a column: their number, a hash, and the first ones in words; or why it cannot be read. */
export type ColumnRead = { readonly name: string } & (
  | { readonly values: number; readonly hash: string; readonly first: readonly string[] }
  | { readonly error: string }
);

export interface BookRead {
  readonly id: string;
  /** Why the file cannot be opened. */
  readonly error?: string;
  readonly columns: readonly ColumnRead[];
  /** Columns whose values differ if all columns are read together, or slice by slice. */
  readonly unstable: readonly string[];
  /** Peak of memory above that before, in bytes. */
  readonly memory: number;
}

const FIRST_VALUES = 40;

function message(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** Hash of the values of each column by its place. */
async function valuesOf(
  source: BookSource,
  isWanted: (place: number) => boolean,
  slices: readonly (BookSlice | undefined)[],
): Promise<Map<number, { values: number; hash: string; first: string[] }>> {
  const { names } = source;
  const wanted = new Set(names.filter((_, place) => isWanted(place)));
  const columns = new Map<number, { values: number; first: string[]; sum: Hash }>();
  for (const place of names.keys())
    if (isWanted(place)) columns.set(place, { values: 0, first: [], sum: createHash('sha256') });
  for (const slice of slices)
    for await (const batch of source.batches({ isWanted: (name) => wanted.has(name), ...(slice && { slice }) }))
      for (const [place, column] of columns)
        for (let row = 0; row < batch.rows; row++) {
          column.values += 1;
          const text = canonical(cellOf(batch.columns[place], row));
          column.sum.update(`${text}\n`);
          if (column.first.length < FIRST_VALUES) column.first.push(text);
        }
  return new Map([...columns].map(([place, { values, first, sum }]) => [place, { values, first, hash: hashOf(sum) }]));
}

async function readBook({ id, path, format, isStream }: BookToRead): Promise<Omit<BookRead, 'memory'>> {
  const open = () =>
    isStream ? openBookStream(createReadStream(path), format, 'book') : openBook(path, { format, name: 'book' });
  const columns: ColumnRead[] = [];
  const unstable = new Set<string>();
  let names: readonly string[];
  try {
    const source = await open();
    names = source.names;
    await source.close();
  } catch (error) {
    return { id, error: message(error), columns, unstable: [] };
  }
  for (const [place, name] of names.entries()) {
    const source = await open();
    try {
      const values = await valuesOf(source, (each) => each === place, [undefined]);
      columns.push({ name, ...values.get(place)! });
    } catch (error) {
      columns.push({ name, error: message(error) });
    } finally {
      await source.close();
    }
  }
  // Without a column, only the rows would be read.
  if (columns.every((column) => 'error' in column)) return { id, columns, unstable: [] };
  const isRead = (place: number) => !('error' in columns[place]!) && names.indexOf(names[place]!) === place;
  const compare = (values: Awaited<ReturnType<typeof valuesOf>>, how: string) => {
    for (const [place, { hash }] of values) {
      const column = columns[place]!;
      if ('hash' in column && column.hash !== hash) unstable.add(`${column.name} ${how}`);
    }
  };
  const source = await open();
  try {
    compare(await valuesOf(source, isRead, [undefined]), 'with others');
    if (!isStream) compare(await valuesOf(source, isRead, await source.slices()), 'by slices');
  } catch (error) {
    unstable.add(message(error));
  } finally {
    await source.close();
  }
  return { id, columns, unstable: [...unstable] };
}

/** Peak and present memory of this process, in bytes. Other systems than Linux know the peak since the start only. */
function memoryUsed(): { readonly peak: number; readonly now: number } {
  try {
    const status = readFileSync('/proc/self/status', 'utf8');
    const of = (name: string) => 1024 * Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)![1]);
    return { peak: of('VmHWM'), now: of('VmRSS') };
  } catch {
    return { peak: 1024 * process.resourceUsage().maxRSS, now: process.memoryUsage.rss() };
  }
}

function resetPeak(): void {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {}
}

const books: readonly BookToRead[] = JSON.parse(readFileSync(process.argv[2]!, 'utf8'));
/** To collect garbage takes longer than to read a small book. */
const BOOKS_A_COLLECTION = 32;
for (const [index, book] of books.entries()) {
  process.stdout.write(`${JSON.stringify({ begins: book.id })}\n`);
  if (index % BOOKS_A_COLLECTION === 0) globalThis.gc?.();
  resetPeak();
  const before = memoryUsed().now;
  const read = await readBook(book);
  const memory = memoryUsed().peak - before;
  process.stdout.write(`${JSON.stringify({ ...read, memory } satisfies BookRead)}\n`);
}
