import type { WireVerdict } from '../service/wire.ts';
import { writeNumber } from './written-value.ts';

export type Way = NonNullable<WireVerdict['would_change']>['ways'][number];
export type Change = Way['changes'][number];

const MAX_WORDS = 3;

/** `age of the roof 15 years or less`, `roof type slate, metal or tile`; with another separator behind the label. */
export function describeChange(change: Change, separator = ' '): string {
  const { label, word, to } = change;
  if (word !== undefined) return `${label}${separator}${to === true ? 'with' : 'without'} ${word}`;
  return `${label}${separator}${typeof to === 'number' ? numberOf(change, to) : wordsOf(change)}`;
}

function numberOf({ from, unit, ranges = [] }: Change, to: number): string {
  const range = ranges.find((each) => contains(each, to)) ?? { min: to, max: to };
  const { min, max, min_excluded: isAbove, max_excluded: isBelow } = range;
  const write = (value: number) => {
    const isSaid = unit === undefined || unit === 'dollars' || unit === 'year';
    return `${writeNumber(value, { unit })}${isSaid ? '' : ` ${unit}`}`;
  };
  if (min === max || typeof from !== 'number') return write(to);
  if (to < from) return isBelow ? `less than ${write(max)}` : `${write(max)} or less`;
  return isAbove ? `more than ${write(min)}` : `${write(min)} or more`;
}

type Range = NonNullable<Change['ranges']>[number];

function contains({ min, max, min_excluded: isAbove, max_excluded: isBelow }: Range, value: number): boolean {
  return (isAbove ? min < value : min <= value) && (isBelow ? value < max : value <= max);
}

function wordsOf({ to, words = [] }: Change): string {
  if (typeof to === 'boolean') return to ? 'yes' : 'no';
  if (words.length <= 1) return String(to);
  const names = words.length > MAX_WORDS ? [...words.slice(0, MAX_WORDS), 'others'] : words;
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

/** A change of one answer that helps several carriers. */
export interface CommonChange {
  readonly change: Change;
  /** Carriers that it makes eligible. */
  readonly eligible: readonly string[];
  /** Carriers that it leads to a referral or further questions. */
  readonly could: readonly string[];
}

interface Helped {
  readonly carrier: string;
  readonly change: Change;
  readonly becomes: Way['becomes'];
}

const MAX_CHANGES = 3;

/** The changes of one answer that help most carriers, one for each field, most helpful first. Carriers that are eligible already do not count. */
export function commonChanges(verdicts: readonly WireVerdict[]): readonly CommonChange[] {
  const done = new Set(verdicts.flatMap(({ status, carrier }) => (status === 'eligible' ? [carrier] : [])));
  const helped = verdicts.flatMap(({ carrier, would_change: change }) =>
    done.has(carrier)
      ? []
      : (change?.ways ?? []).flatMap(({ changes, becomes }): Helped[] =>
          changes.length === 1 ? [{ carrier, change: changes[0]!, becomes }] : [],
        ),
  );
  const byField = Map.groupBy(helped, ({ change: { field, word } }) => JSON.stringify([field, word]));
  return [...byField.values()]
    .map((same) => bestOf(same))
    .sort((a, b) => compare(b, a))
    .slice(0, MAX_CHANGES);
}

const compare = (a: CommonChange, b: CommonChange): number =>
  a.eligible.length - b.eligible.length || a.could.length - b.could.length;

/** The value that helps most; of equals the one that changes least, which comes first. */
function bestOf(same: readonly Helped[]): CommonChange {
  const { from } = same[0]!.change;
  const values = [...new Set(same.flatMap(({ change: { to, words } }) => words ?? [to]))];
  if (typeof from === 'number') values.sort((a, b) => Math.abs(Number(a) - from) - Math.abs(Number(b) - from));
  return values.map((value) => helpOf(same, value)).reduce((best, each) => (compare(each, best) > 0 ? each : best));
}

function helpOf(same: readonly Helped[], value: Change['to']): CommonChange {
  const by = same.filter(({ change }) => accepts(change, value));
  const eligible = namesOf(by.filter(({ becomes }) => becomes === 'eligible'));
  const could = namesOf(by).filter((carrier) => !eligible.includes(carrier));
  return { change: { ...by[0]!.change, ...shared(by, value), to: value }, eligible, could };
}

const namesOf = (helped: readonly Helped[]) => [...new Set(helped.map(({ carrier }) => carrier))];

function accepts({ to, words, ranges }: Change, value: Change['to']): boolean {
  if (words !== undefined) return words.includes(String(value));
  if (ranges !== undefined && typeof value === 'number') return ranges.some((range) => contains(range, value));
  return to === value;
}

/** The values around this one that help the same carriers. */
function shared(by: readonly Helped[], value: Change['to']): Pick<Change, 'words' | 'ranges'> {
  const [first, ...others] = by.map(({ change }) => change);
  if (first?.words !== undefined)
    return { words: first.words.filter((word) => others.every(({ words }) => words?.includes(word))) };
  if (typeof value !== 'number') return {};
  const around = by.flatMap(({ change }) => change.ranges?.find((range) => contains(range, value)) ?? []);
  if (around.length === 0) return {};
  const low = around.reduce((a, b) => (b.min > a.min || (b.min === a.min && b.min_excluded) ? b : a));
  const high = around.reduce((a, b) => (b.max < a.max || (b.max === a.max && b.max_excluded) ? b : a));
  const { min, min_excluded } = low;
  const { max, max_excluded } = high;
  return { ranges: [{ min, max, ...(min_excluded && { min_excluded }), ...(max_excluded && { max_excluded }) }] };
}
