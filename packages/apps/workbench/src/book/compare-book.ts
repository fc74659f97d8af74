import { createBookDiff } from '@leeward/books/diff';
import { BookFileError, type RawBatch } from '@leeward/books/evaluate';
import { type Catalog, checkRuleSet } from '@leeward/engine';
import { catalogOf } from '@leeward/engine/compiled';
import { describeJsonFault } from '@leeward/terms';
import type { BookChange, BookChangeQuestion, MovedPolicy } from '../evaluate/evaluator-messages.ts';
import { keptCells } from './kept-policies.ts';
import { readBook } from './read-book.ts';
import { readRow } from './read-row.ts';

const MAX_SHOWN = 100;

/**
 * Like `leeward rules diff --book`.
 * @throws `BookFileError` if the file is not a book or a text is not a rule set.
 */
export async function compareBook(
  { file, asOf, effectiveDate, columns, older, newer }: BookChangeQuestion,
  onRead: (bytes: number) => void,
): Promise<BookChange> {
  const before = readVersion(older, 'older');
  const after = readVersion(newer, 'newer');
  const now = new Date(asOf);
  const { map, keep = [] } = columns ?? {};
  const isKept = (name: string) => keep.some((column) => column.name === name);
  const book = await readBook(file, { vocabulary: before.vocabulary, map, isKept, onRead });
  let current: RawBatch | undefined;
  const bands = new Map<string, { before: string; after: string; count: number; policies: MovedPolicy[] }>();
  const diff = createBookDiff({
    older: before,
    newer: after,
    format: book.format,
    name: file.name,
    asOf: now,
    ...(map && { map }),
    effectiveDate,
    readRow: readRow(now),
    asThoughInForce: true,
    onMove({ before: from, after: to, row, line, policyType, state, county, reasons }) {
      const name = `${from} ${to}`;
      const band = bands.get(name) ?? { before: from, after: to, count: 0, policies: [] };
      bands.set(name, band);
      band.count += 1;
      if (band.policies.length >= MAX_SHOWN) return;
      const ruleIds = [...new Set(reasons.flatMap(({ ruleId }) => (ruleId === '' ? [] : [ruleId])))];
      const extras = current ? keptCells(current, row - 1 - current.firstRow, keep) : [];
      band.policies.push({ row, line, policyType, state, county, extras, ruleIds });
    },
  });
  for await (const batch of book.batches) {
    current = batch;
    await diff.compare(batch);
  }
  const { rows, rejected, movedPolicies, rules } = diff.counts();
  return {
    extraTitles: keep.map(({ title }) => title),
    rows,
    rejected,
    moved: movedPolicies,
    bands: [...bands.values()].sort((a, b) => b.count - a.count),
    rules: rules.map(({ ruleId, code, answers }) => [ruleId === '' ? code : ruleId, answers]),
  };
}

/** A catalog of this version alone. Both use one carrier, so that a difference in their keys is not a change. */
function readVersion(text: string, which: string): Catalog {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    throw new BookFileError(`The ${which} text is ${describeJsonFault(text)}.`);
  }
  const { ruleSet, faults } = checkRuleSet(file);
  if (!ruleSet) throw new BookFileError(`The ${which} text is not a rule set: ${faults[0]!.message}`);
  return catalogOf([{ key: 'compared', name: ruleSet.carrierName, versions: [{ ruleSet, source: 'catalog' }] }]);
}
