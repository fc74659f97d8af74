import type { Coast } from '@leeward/coast';
import { type DistanceInUnit, probabilitiesWithin } from '@leeward/http/distance';
import { CommandError } from '../command-error.ts';
import { type Length, readLengths } from './compare/limits.ts';

type PlaceOf = Parameters<typeof probabilitiesWithin>[1];
type AnswerOf = Parameters<typeof probabilitiesWithin>[3];

const MAX_LIMITS = 10;
const SHORT = { foot: 'ft', mile: 'mi', meter: 'm', kilometer: 'km' } as const;

/** A distance of `--within`. */
export interface WithinLimit {
  /** `1,000 feet`. */
  readonly text: string;
  /** `probability_within_1000ft`. */
  readonly column: string;
  readonly limit: DistanceInUnit;
}

/** Distances as `--within` lists them. Throws a `CommandError`. */
export function readWithin(text: string | undefined): readonly WithinLimit[] {
  if (text === undefined) return [];
  const lengths = readLengths(text, '--within');
  if (lengths.length > MAX_LIMITS)
    throw new CommandError(`--within lists ${lengths.length} lengths; give at most ${MAX_LIMITS}.`);
  const limits = lengths.map((length) => ({
    text: length.text,
    column: `probability_within_${length.amount}${SHORT[length.unit]}`,
    limit: limitOf(length),
  }));
  const twice = limits.find(({ column }, index) => limits.findIndex((each) => each.column === column) < index);
  if (twice) throw new CommandError(`--within lists ${twice.text} twice; give it once.`);
  return limits;
}

function limitOf({ amount, unit, meters }: Length): DistanceInUnit {
  return unit === 'foot' ? { feet: amount } : unit === 'mile' ? { miles: amount } : { meters };
}

/** The answer of HTTP to `probability_within`; undefined without distances. */
export function probabilitiesOf(
  coast: Coast,
  place: PlaceOf,
  definition: string,
  answer: AnswerOf,
  within: readonly WithinLimit[],
): ReturnType<typeof probabilitiesWithin> | undefined {
  if (within.length === 0) return undefined;
  const limits = within.map(({ limit }) => limit);
  return probabilitiesWithin(coast, place, definition, answer, limits);
}

/** `Within 1,000 feet: 91.2 % likely`. */
export function formatWithin(
  within: readonly WithinLimit[],
  probabilities: ReturnType<typeof probabilitiesWithin> | undefined,
): string {
  return within
    .map(({ text }, index) => {
      const probability = probabilities?.[index]?.probability ?? null;
      const likely = probability === null ? 'not known' : `${Number((100 * probability).toFixed(2))} % likely`;
      return `Within ${text}: ${likely}\n`;
    })
    .join('');
}
