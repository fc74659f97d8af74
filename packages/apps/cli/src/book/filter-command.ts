import { once } from 'node:events';
import {
  type BookFormat,
  bookFormats,
  createBookEvaluator,
  createExtraColumns,
  createRowMeasuring,
  createStatusWriter,
  expectExtraColumns,
  hasPlaces,
  ignoreExtraColumns,
  openBookStream,
} from '@leeward/books';
import { CommandError } from '../command-error.ts';
import { readEvents } from '../homes/read-events.ts';
import { openKnownLines } from '../lines/known-lines.ts';
import type { Terminal } from '../terminal.ts';
import { carriersFolder, noteUnknownEvents, openBookCarriers } from './book-carriers.ts';
import { type BookWords, bookDates, columnMapOf, extraNames, readColumns } from './make-run.ts';
import { createRowReader } from './read-book-row.ts';

export interface FilterOptions extends BookWords {
  readonly outFormat?: string;
  readonly header?: boolean;
}

/** `book filter`: writes the statuses of standard input row by row, in constant memory. A bad row does not end it. */
export async function filterBook(options: FilterOptions, terminal: Terminal): Promise<void> {
  const format = formatOf('--format', options.format ?? 'ndjson');
  const outFormat = formatOf('--out-format', options.outFormat ?? format);
  const isLong = options.long ?? false;
  const { asOf, effectiveDate } = bookDates(options, terminal);
  const lines = await openKnownLines(options.line, terminal.folder);
  const { carriers, catalog } = openBookCarriers(carriersFolder(options.carriers, terminal, lines), terminal, lines);
  const { vocabulary, carrierKeys } = carriers;
  const keep = extraNames(options.keep);
  const columns = readColumns(options.columns, vocabulary, terminal);
  if (options.events === '-') throw new CommandError('--events is "-"; give a file: standard input is for homes.');
  const events = await readEvents(options.events, terminal);
  noteUnknownEvents(catalog, events !== undefined, terminal);
  const { input, output } = terminal.streams();
  const name = 'Standard input';
  const source = await openBookStream(input, format, name);
  const map = ignoreExtraColumns(columnMapOf(columns, options, vocabulary), keep, vocabulary);
  const extras = createExtraColumns({
    columns: keep.map((column) => ({ name: column, type: source.typeOf?.(column) ?? ('text' as const) })),
    hasPlaces: hasPlaces(source.names, map),
    format,
    name,
  });
  // The keys of NDJSON are known at its end.
  if (format !== 'ndjson') expectExtraColumns(keep, source, carrierKeys, name);
  const { readRow, measurePlaces } = createRowReader(asOf, vocabulary, terminal);
  const evaluator = createBookEvaluator({
    carriers,
    format,
    name,
    map,
    asOf,
    effectiveDate,
    readRow,
    measuring: createRowMeasuring(vocabulary, measurePlaces),
    countsReasons: false,
    includesReasons: isLong,
    events,
    allowsEveryType: outFormat === 'ndjson' && !isLong,
  });
  const isWanted = (column: string) => evaluator.isWanted(column) || keep.includes(column);
  let isFull = false;
  const writer = await createStatusWriter({
    format: outFormat,
    carrierKeys,
    vocabulary,
    extras: extras.columns,
    sink(bytes) {
      // Copied, because the writer reuses its buffers.
      isFull = !output.write(Buffer.from(bytes));
    },
    hasHead: options.header !== false,
    isLong,
  });
  for await (const batch of source.batches({ isWanted })) {
    writer.write(extras.add(batch, await evaluator.evaluate(batch)));
    if (isFull) await once(output, 'drain');
  }
  await writer.end();
  await source.close();
}

function formatOf(name: string, formatText: string): BookFormat {
  if ((bookFormats as readonly string[]).includes(formatText) && formatText !== 'parquet')
    return formatText as BookFormat;
  throw new CommandError(
    `${name} is ${JSON.stringify(formatText)}; give arrow, csv or ndjson: what is read once has no end to look at first.`,
  );
}
