import type { Vocabulary } from '@leeward/engine';
import { hasEvidenceForm } from '@leeward/engine/compiled';
import { isGiven, isObject } from '@leeward/terms';
import { cellOf, type RawBatch } from '../source/raw-batch.ts';
import type { FieldColumn } from './column-map.ts';
import { evidenceNames } from './evidence-names.ts';

/** A row as the body of an HTTP request. */
export function requestBodyOf(
  batch: RawBatch,
  row: number,
  fields: readonly FieldColumn[],
  isIgnored: (name: string) => boolean,
  vocabulary: Vocabulary,
): unknown {
  const whole = batch.whole?.get(row);
  const isWhole = batch.whole?.has(row) === true;
  if (isWhole && !isObject(whole)) return whole;
  const entries: [string, unknown][] = [];
  const used = new Set<number>();
  const propertyOf = (name: string): unknown =>
    isWhole ? (Object.hasOwn(whole as object, name) ? (whole as Record<string, unknown>)[name] : undefined) : undefined;
  for (const column of fields) {
    const { field, place, constant, convert } = column;
    if (place < 0) {
      entries.push([field, constant]);
      continue;
    }
    used.add(place);
    const name = batch.names[place]!;
    const value = isWhole ? propertyOf(name) : cellOf(batch.columns[place], row);
    if (value === undefined) continue;
    entries.push([field, convert ? convert(value) : value]);
  }
  const rest = isWhole ? Object.keys(whole as object) : batch.names;
  rest.forEach((name, index) => {
    const place = isWhole ? batch.names.indexOf(name) : index;
    if ((place >= 0 && used.has(place)) || isIgnored(name)) return;
    // The map reads this field from another column.
    if (fields.some(({ field }) => field === name)) return;
    // An unknown field name is a fault with any value.
    const value = isWhole ? propertyOf(name) : rawCell(batch, place, row);
    if (value !== undefined) entries.push([name, value]);
  });
  const isConstant = (name: string) => fields.some(({ field, place }) => field === name && place < 0);
  // Safe for names like `__proto__`.
  return Object.fromEntries(joinEvidence(entries, vocabulary, isConstant));
}

/**
 * Puts evidence of columns next to its value: `{ "value", "as_of", "source" }`. A part that the value has already keeps the name of
 * its column, which a request cannot have.
 */
function joinEvidence(
  entries: readonly [string, unknown][],
  vocabulary: Vocabulary,
  isConstant: (name: string) => boolean,
): readonly [string, unknown][] {
  const names = evidenceNames(vocabulary);
  if (!entries.some(([name]) => names.has(name))) return entries;
  const joined = new Map(entries.filter(([name]) => !names.has(name)));
  for (const [name, part] of entries) {
    const evidence = names.get(name);
    if (!evidence || !isGiven(part)) continue;
    const value = joined.get(evidence.of);
    // A constant is about the values that there are.
    if (!isGiven(value) && isConstant(name)) continue;
    const form = hasEvidenceForm(value) ? value : { value };
    if (!isGiven(form[evidence.part])) joined.set(evidence.of, { ...form, [evidence.part]: part });
    else joined.set(name, part);
  }
  return [...joined];
}

function rawCell({ columns }: RawBatch, place: number, row: number): unknown {
  const column = columns[place];
  if (column?.kind === 'dictionary') {
    const code = column.codes[row]!;
    return code < 0 ? undefined : column.words[code];
  }
  return cellOf(column, row);
}
