import { findState } from '@leeward/places/counties';
import { loadZipGazetteer } from '@leeward/places/zips';
import { RowFileError } from '@leeward/rows';
import { AddressBookError } from './address-book-error.ts';
import { measureRadii } from './estimate/measure-radii.ts';
import { lockBook } from './file/book-lock.ts';
import { type BookWriter, createBookWriter } from './file/book-writer.ts';
import { openDatabase } from './file/open-database.ts';
import type { ImportFinding, ImportOptions, ImportReport } from './import-options.ts';
import type { AddressInput, InputFormat, InputRow, RejectionCode, RowFinding } from './input/address-input.ts';
import type { InputOptions } from './input/input-options.ts';
import { type InputFile, listInputFiles, openInput, openText } from './input/open-input.ts';

const ROWS_A_PROGRESS = 1_000;
/** Rows that a killed import may have to repeat. */
const ROWS_A_CHECKPOINT = 10_000;

interface InputQueue {
  readonly files: readonly InputFile[];
  /** Identifies the content; undefined for a stream, which cannot be read again. */
  readonly identity: string | undefined;
  open(index: number): Promise<AddressInput>;
}

export async function runImport(options: ImportOptions): Promise<ImportReport> {
  const { signal, source, now = () => new Date() } = options;
  signal?.throwIfAborted();
  const state = options.state === undefined ? undefined : findState(options.state)?.code;
  if (options.state !== undefined && state === undefined) {
    throw new AddressBookError(`${JSON.stringify(options.state)} is not a state of the United States.`);
  }
  const zips = await loadZipGazetteer();
  const input: InputOptions = {
    zips,
    state: state ?? stateOfSource(source),
    kind: options.kind,
    columns: options.columns,
    layer: options.layer,
    signal,
    onUnpacked: () => options.onProgress?.({ rowsRead: 0, bytesRead: 0, totalBytes: undefined }),
  };
  // Report progress before a large zip is unpacked.
  input.onUnpacked?.();
  const queue = await queueOf(options, input);
  const first = await queue.open(0).catch(asBookError);
  using _lock = lockBook(options.database);
  const database = openDatabase(options.database, true);
  let writer: BookWriter | undefined;
  try {
    const { kind, columns, layer, errorRadiusMeters, attribution } = options;
    const settings = { state: input.state, kind, columns, layer, errorRadiusMeters, attribution };
    writer = createBookWriter(database, {
      source,
      format: first.format,
      attribution,
      errorRadiusMeters,
      identity: queue.identity === undefined ? '' : JSON.stringify([queue.identity, settings]),
    });
    const resumedTally =
      queue.identity === undefined || writer.resumed === undefined ? undefined : (JSON.parse(writer.resumed) as Tally);
    const tally = createImportTally(resumedTally);
    const resumedAtRow = resumedTally?.rowsRead ?? 0;
    const recognized = await readAll(queue, first, writer, tally, resumedAtRow, options);
    const counts = tally.soFar();
    if (counts.houses + counts.ranges === 0) throw new AddressBookError(nothingToImport(counts));
    writer.publish(counts, now());
    measureRadii(database, zips);
    return { source, format: first.format, files: queue.files.length, ...counts, resumedAtRow, recognized };
  } catch (error) {
    if (signal?.aborted && queue.identity !== undefined) database.close();
    else writer?.discard();
    throw error;
  } finally {
    first.close();
    if (database.isOpen) database.close();
  }
}

async function readAll(
  queue: InputQueue,
  first: AddressInput,
  writer: BookWriter,
  tally: ImportTally,
  resumedAtRow: number,
  { onProgress, signal }: ImportOptions,
): Promise<readonly string[]> {
  const totalBytes = queue.identity === undefined ? undefined : queue.files.reduce((sum, { bytes }) => sum + bytes, 0);
  const recognized: string[] = [];
  let rowsRead = 0;
  let bytesBefore = 0;
  for (let index = 0; index < Math.max(1, queue.files.length); index += 1) {
    const opened = index === 0 ? first : await queue.open(index).catch(asBookError);
    const file = queue.files[index]?.name ?? 'The file';
    try {
      checkFormat(opened.format, first.format, file);
      let last: InputRow | undefined;
      for await (const row of opened.rows) {
        last = row;
        rowsRead += 1;
        if (rowsRead <= resumedAtRow) continue;
        signal?.throwIfAborted();
        const houses = row.houses.filter((house) => writer.addHouse(house)).length;
        const ranges = row.ranges.filter((range) => writer.addRange(range)).length;
        tally.count(row, { houses, ranges });
        if (rowsRead % ROWS_A_CHECKPOINT === 0) writer.checkpoint(JSON.stringify(tally.soFar()));
        if (rowsRead % ROWS_A_PROGRESS === 0)
          onProgress?.({ rowsRead, bytesRead: bytesBefore + opened.bytesRead(), totalBytes });
      }
      if (opened.endsWithinLine() && last?.rejected.some(({ code }) => code === 'malformed_row')) throw cutOff(last);
      recognized.push(...opened.recognized());
    } catch (error) {
      signal?.throwIfAborted();
      throw error instanceof RowFileError
        ? new AddressBookError(`${error.message} It was read up to row ${rowsRead}.`, { cause: error })
        : error;
    } finally {
      opened.close();
    }
    bytesBefore += queue.files[index]?.bytes ?? 0;
  }
  onProgress?.({ rowsRead, bytesRead: bytesBefore, totalBytes });
  return recognized;
}

async function queueOf({ from }: ImportOptions, input: InputOptions): Promise<InputQueue> {
  if (typeof from !== 'string') {
    return { files: [], identity: undefined, open: () => openText(from, 'The file', input) };
  }
  const files = await listInputFiles(from);
  return {
    files,
    identity: JSON.stringify(files.map(({ path, bytes, modifiedMs }) => [path, bytes, modifiedMs])),
    open: (index) => openInput(files[index]!, input),
  };
}

/** OpenAddresses names sources by state: `us/fl/miami_dade`. */
function stateOfSource(source: string): string | undefined {
  const [, code] = /^us\/([a-z]{2})(?:\/|$)/.exec(source) ?? [];
  return code === undefined ? undefined : findState(code)?.code;
}

function checkFormat(format: InputFormat, first: InputFormat, file: string): void {
  if (format === first) return;
  throw new AddressBookError(
    `${file} has a different format (${format}) than the files before it (${first}). Import it separately.`,
  );
}

function cutOff({ file, row, rejected }: InputRow): AddressBookError {
  return new AddressBookError(
    `${file} ends inside row ${row}: ${rejected[0]?.message} The download may be incomplete. Download it again, or remove that row.`,
  );
}

function asBookError(error: unknown): never {
  throw error instanceof RowFileError ? new AddressBookError(error.message, { cause: error }) : error;
}

function nothingToImport({ rowsRead, rejected, examples }: Tally): string {
  const reasons = Object.entries(rejected).map(([code, count]) => `${code} ${count}`);
  const [example] = examples;
  const exampleText = example === undefined ? '' : ` Row ${example.row} of ${example.file}: ${example.message}`;
  return `0 of ${rowsRead} rows are usable addresses (${reasons.join(', ') || 'there are no rows'}).${exampleText}`;
}

const MAX_EXAMPLES = 10;

type Tally = Pick<
  ImportReport,
  'rowsRead' | 'houses' | 'ranges' | 'duplicates' | 'zipsByPosition' | 'rejected' | 'doubtful' | 'examples'
>;

/** Counts the results of rows. Can be saved and restored. */
interface ImportTally {
  count(row: InputRow, added: { readonly houses: number; readonly ranges: number }): void;
  soFar(): Tally;
}

function createImportTally(resumed: Tally | undefined): ImportTally {
  let { rowsRead, houses, ranges, duplicates, zipsByPosition } = resumed ?? {
    rowsRead: 0,
    houses: 0,
    ranges: 0,
    duplicates: 0,
    zipsByPosition: 0,
  };
  const rejected: Partial<Record<RejectionCode, number>> = { ...resumed?.rejected };
  const doubtful: Partial<Record<RejectionCode, number>> = { ...resumed?.doubtful };
  const examples: ImportFinding[] = [...(resumed?.examples ?? [])];
  const note = (counts: Partial<Record<RejectionCode, number>>, { file, row }: InputRow, finding: RowFinding) => {
    counts[finding.code] = (counts[finding.code] ?? 0) + 1;
    if (examples.length < MAX_EXAMPLES) examples.push({ file, row, ...finding });
  };
  return {
    count(row, added) {
      rowsRead += 1;
      houses += added.houses;
      ranges += added.ranges;
      duplicates += row.houses.length + row.ranges.length - added.houses - added.ranges;
      if ([...row.houses, ...row.ranges].some(({ isZipFromPosition }) => isZipFromPosition)) zipsByPosition += 1;
      for (const finding of row.rejected) note(rejected, row, finding);
      for (const finding of row.doubtful) note(doubtful, row, finding);
    },
    soFar: () => ({ rowsRead, houses, ranges, duplicates, zipsByPosition, rejected, doubtful, examples }),
  };
}
