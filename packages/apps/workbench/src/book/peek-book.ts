import { cellOf, guessFields, type RawBatch, usualFields, writtenValueReader } from '@leeward/books/evaluate';
import { parseRequest, requestSchemaOf, type Vocabulary } from '@leeward/engine';
import { labelOf, writeValue } from '@leeward/engine/vocabulary';
import { states } from '@leeward/places/counties';
import type { ChosenColumns, PeekedBook, PreviewRow } from '../evaluate/evaluator-messages.ts';
import { keptCells } from './kept-policies.ts';
import { readBook } from './read-book.ts';

const SHOWN_ROWS = 5;
const SHOWN_CHARACTERS = 40;

/** Fields of requests that no book has. */
const options: ReadonlySet<string> = new Set([
  'include_declined',
  'include_not_offered',
  'explain',
  'radius_meters',
  'footprint',
]);
const isText = (value: string | undefined): value is string => value !== undefined;

/** The beginning of a book, before its columns are chosen. */
export interface OpenPeek {
  readonly peeked: PeekedBook;
  /** The first rows as they will be read with these columns. */
  preview(columns: ChosenColumns): readonly PreviewRow[];
}

/**
 * Reads the names and first values of the columns, and guesses their fields.
 * @throws `BookFileError` if the file is not a book.
 */
export async function peekBook(file: File, vocabulary: Vocabulary): Promise<OpenPeek> {
  const { batches, titles } = await readBook(file, { vocabulary, isKept: () => true });
  const first = await batches.next();
  const batch: RawBatch | undefined = first.done ? undefined : first.value;
  await batches.return(undefined);
  const names = batch?.names ?? [];
  const rows = Array.from({ length: Math.min(SHOWN_ROWS, batch?.rows ?? 0) }, (_, row) => row);
  const usual = new Set(usualFields);
  const guesses = guessFields(names, vocabulary);
  return {
    peeked: {
      names,
      titles: names.map((name, place) => titles?.[place] ?? name),
      guesses,
      samples: names.map((name) =>
        rows.flatMap((row) => keptCells(batch!, row, [{ name }])).map((text) => text.slice(0, SHOWN_CHARACTERS)),
      ),
      fields: [...new Set([...Object.keys(requestSchemaOf(vocabulary).shape), ...guesses.filter(isText)])]
        .filter((name) => !options.has(name))
        .map((name) => ({
          name,
          label: labelOf(name, vocabulary),
          isUsual: usual.has(name),
        })),
      policyTypes: vocabulary.policyTypes,
      states: states.map(({ code }) => code.toUpperCase()),
    },
    preview: (columns) => rows.map((row) => previewRow(batch!, row, columns, vocabulary)),
  };
}

function previewRow(batch: RawBatch, row: number, { map }: ChosenColumns, vocabulary: Vocabulary): PreviewRow {
  const body: Record<string, unknown> = {};
  for (const [field, origin] of Object.entries(map.fields)) {
    const read = writtenValueReader(field, vocabulary, map) ?? ((value: unknown) => value);
    const value =
      'constant' in origin ? origin.constant : cellOf(batch.columns[batch.names.indexOf(origin.column)], row);
    if (value !== undefined) body[field] = read(value);
  }
  const parsed = parseRequest(body, { now: new Date() });
  return {
    values: Object.fromEntries(
      Object.entries(body).map(([field, value]) => [field, value === null ? '' : writeValue(field, value, vocabulary)]),
    ),
    faults: parsed.ok ? [] : parsed.faults.map(({ message }) => message),
  };
}
