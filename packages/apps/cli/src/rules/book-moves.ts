import { resolve } from 'node:path';
import { createBookDiff, openBook } from '@leeward/books';
import type { RuleSet, Vocabulary } from '@leeward/engine';
import { catalogOf } from '@leeward/engine/compiled';
import { describeRecognized } from '@leeward/rows';
import { createRowReader } from '../book/read-book-row.ts';
import type { Terminal } from '../terminal.ts';

/** A policy whose answer is another under the new rules. */
export interface Moved {
  /** Its line, or in a book without lines its row. */
  readonly line: number;
  readonly policyType: string;
  readonly state: string;
  readonly before: string;
  readonly after: string;
  /** Ids of the edited rules behind it. */
  readonly ruleIds: readonly string[];
  readonly codes: readonly string[];
}

/** Policies of a book that two versions answer differently. */
export interface BookMoves {
  readonly policies: number;
  readonly moved: readonly Moved[];
  /** Lines that are not homes, with their fault. */
  readonly unread: readonly { readonly line: number; readonly message: string }[];
}

/** A version, and the words that it is written in. */
interface OfLine {
  readonly ruleSet: RuleSet;
  readonly vocabulary: Vocabulary;
}

/**
 * Compares two versions of a carrier over a book, both as if in force. A row without policy type is evaluated for every
 * type.
 */
export async function compareBook(
  older: OfLine,
  newer: OfLine,
  path: string,
  asOf: Date,
  terminal: Terminal,
): Promise<BookMoves> {
  const source = await openBook(resolve(terminal.folder, path), { name: path });
  const catalog = ({ ruleSet, vocabulary }: OfLine) =>
    catalogOf([{ key: 'compared', name: ruleSet.carrierName, versions: [{ ruleSet, source: 'catalog' }] }], {
      vocabulary,
    });
  const [before, after] = [catalog(older), catalog(newer)];
  const moved: Moved[] = [];
  const unread: { line: number; message: string }[] = [];
  const diff = createBookDiff({
    older: before,
    newer: after,
    format: source.format,
    name: path,
    asOf,
    readRow: createRowReader(asOf, after.vocabulary, terminal).readRow,
    asThoughInForce: true,
    allowsEveryType: true,
    onMove: ({ row, line = row, reasons, ...move }) => {
      const ruleIds = [...new Set(reasons.flatMap(({ ruleId }) => (ruleId === '' ? [] : [ruleId])))];
      moved.push({ line, ...move, ruleIds, codes: [...new Set(reasons.map(({ code }) => code))] });
    },
    onReject: ({ row, line = row, faults }) =>
      unread.push({ line, message: faults.map(({ message }) => message).join(' ') }),
  });
  try {
    for await (const batch of source.batches({ isWanted: diff.isWanted })) await diff.compare(batch);
  } finally {
    await source.close();
  }
  if (source.recognized)
    for (const sentence of describeRecognized(path, source.recognized())) terminal.writeError(`${sentence}\n`);
  moved.sort((a, b) => a.line - b.line);
  return { policies: diff.counts().rows, moved, unread };
}
