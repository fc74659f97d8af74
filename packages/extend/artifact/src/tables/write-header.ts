import type { Vocabulary } from '@leeward/engine';
import { layoutOf } from '@leeward/engine/compiled';
import { stateCodes } from '@leeward/places/counties';
import { type Spelling, sortedByKey, spellingLists } from '../spellings/spelling-lists.ts';
import { HEADER_BYTES, type ImageWriter } from './image-writer.ts';
import type { TableInput, TableInputs } from './table-inputs.ts';

const MAGIC = 0x31_54_57_4c;
const VERSION = 1;
const INPUT_BYTES = 64;
/** Number of the list of counties. Those before it are the states and the policy types. */
const COUNTY_LIST = 2;

interface HeaderInput {
  readonly vocabulary: Vocabulary;
  readonly inputs: TableInputs;
  /** The year for the bounds of fields. */
  readonly effectiveYear: number;
  readonly carrierCount: number;
  readonly intervals: Int32Array;
  readonly writer: ImageWriter;
}

/** Writes the inputs, the lists of spellings and the header, and returns the image. */
export function writeHeader(input: HeaderInput): Uint8Array {
  const { vocabulary, inputs, carrierCount, intervals, writer } = input;
  const { states, policyTypes, counties, countySuffixes, ambiguous, words } = spellingLists(vocabulary);
  const lists: (readonly Spelling[])[] = [states, policyTypes, sortedByKey([...counties, ...countySuffixes])];
  const records = inputRecords(input, (field) => lists.push(words.get(field)!) - 1);
  const relations = inputs.relations();
  const header = new Uint32Array(HEADER_BYTES / 4);
  header.set([
    MAGIC,
    VERSION,
    0,
    inputs.all.length,
    writer.add(records),
    relations.length,
    writer.add(Int32Array.from(relations.flat())),
    stateCodes.length,
    intervals.length / 4,
    writer.add(intervals),
    vocabulary.policyTypes.length,
    carrierCount,
    lists.length,
    writer.add(Uint32Array.from(lists.flatMap((list) => listRecord(list, writer)))),
    ambiguous.length,
    writer.add(Uint32Array.from(ambiguous, (fips) => writer.add(Int32Array.from([fips.length, ...fips])))),
    COUNTY_LIST,
  ]);
  header[2] = writer.length;
  return writer.finish(header);
}

/** @param addList adds the words of a field to the lists and returns the number of the list */
function inputRecords(
  { vocabulary, inputs, effectiveYear }: HeaderInput,
  addList: (field: string) => number,
): Uint8Array {
  const view = new DataView(new ArrayBuffer(INPUT_BYTES * inputs.all.length));
  inputs.all.forEach((input, index) => {
    const at = INPUT_BYTES * index;
    view.setUint32(at, input.kind === 'word' ? 1 : 0, true);
    view.setUint32(at + 12, input.words?.length ?? 0, true);
    view.setFloat64(at + 16, Number.NEGATIVE_INFINITY, true);
    view.setFloat64(at + 24, Number.POSITIVE_INFINITY, true);
    view.setInt32(at + 32, -1, true);
    view.setInt32(at + 40, -1, true);
    view.setInt32(at + 48, input.base ?? -1, true);
    if (input.source.kind !== 'field') return;
    const field = vocabulary.fields[input.source.field]!;
    const { domain } = layoutOf(vocabulary).domainsOf(effectiveYear)[input.source.field]!;
    if (domain.kind === 'numbers') {
      view.setUint32(at + 4, formOf(field), true);
      view.setUint32(at + 8, domain.integer ? 1 : 0, true);
      view.setFloat64(at + 16, domain.min, true);
      view.setFloat64(at + 24, domain.max, true);
      return;
    }
    view.setInt32(at + 32, addList(field.name), true);
    if (!field.fallback) return;
    const { value, when } = field.fallback;
    view.setInt32(at + 36, domain.words.indexOf(value) + 1, true);
    if (!when) return;
    const condition = inputs.find(when.field);
    view.setInt32(at + 40, condition, true);
    view.setInt32(at + 44, (inputs.all[condition] as TableInput).words!.indexOf(when.value) + 1, true);
  });
  return new Uint8Array(view.buffer);
}

/** 1 for a year of two or four digits, 2 for an age or a year, 0 for other numbers. */
function formOf({ resolve, unit }: Vocabulary['fields'][number]): number {
  if (unit !== 'year' || !resolve) return 0;
  const year = resolve(5, { effectiveYear: 2026 });
  return year === 2005 ? 1 : year === 2021 ? 2 : 0;
}

const encoder = new TextEncoder();

interface EncodedList {
  readonly starts: Uint32Array;
  readonly text: Uint8Array;
  readonly codes: Int32Array;
}

const encodedLists = new WeakMap<readonly Spelling[], EncodedList>();

function encodeList(list: readonly Spelling[]): EncodedList {
  const starts = new Uint32Array(list.length + 1);
  list.forEach(({ key }, index) => {
    // Keys are ASCII.
    starts[index + 1] = starts[index]! + key.length;
  });
  const text = encoder.encode(list.map(({ key }) => key).join(''));
  return { starts, text, codes: Int32Array.from(list, ({ code }) => code) };
}

function listRecord(list: readonly Spelling[], writer: ImageWriter): readonly number[] {
  const encoded = encodedLists.get(list) ?? encodeList(list);
  encodedLists.set(list, encoded);
  return [list.length, writer.add(encoded.starts), writer.add(encoded.text), writer.add(encoded.codes)];
}
