import { isWithin, type Within } from '../request/knowledge.ts';
import type { OperatorFunction } from './operators.ts';
import type { Truth } from './truth.ts';

/**
 * The truth of a test over every possible value of either side. A bounded fact is tested at its bounds and around the limits on the
 * other side; between two limits, no operator changes its result. A test of an unknown fact is undecided, even if it holds for every
 * value.
 */
export function leafTruth(factValue: unknown, value: unknown, test: OperatorFunction): Truth {
  if (factValue === undefined || value === undefined) return 'undecided';
  const lefts = isWithin(factValue) ? samples(factValue, value) : [factValue];
  const rights = isWithin(value) ? samples(value, factValue) : [value];
  // Two ranges: the sampled corners show possible, not certain results.
  const certain = !(isWithin(factValue) && isWithin(value));
  let holds = false;
  let fails = false;
  for (const left of lefts) {
    for (const right of rights) {
      if (test(left, right)) holds = true;
      else fails = true;
    }
  }
  if (holds && fails) return 'undecided';
  if (!certain && !disjoint(factValue as Within, value as Within)) return 'undecided';
  return holds ? 'true' : 'false';
}

/** Undecided if the operator throws, as a host's operator may. */
export function leafTruthOrUndecided(factValue: unknown, value: unknown, test: OperatorFunction): Truth {
  try {
    return leafTruth(factValue, value, test);
  } catch {
    return 'undecided';
  }
}

function samples(within: Within, other: unknown): readonly unknown[] {
  if (within.kind === 'one of') return within.words;
  const { min, max } = within;
  const points = new Set<number>([min, max]);
  const add = (point: number) => {
    if (point >= min && point <= max) points.add(point);
  };
  for (const limit of limitsOf(other)) {
    // The limit, the nearest whole numbers on both sides, and a close point outside all lists.
    const near = Math.max(Math.abs(limit) * 1e-12, 1e-9);
    for (const step of Number.isInteger(limit) ? [0, 1, near] : [0, near]) {
      add(limit - step);
      add(limit + step);
    }
  }
  // A point that equals no limit, for tests of equality.
  add(min + (max - min) / 2);
  return [...points];
}

function limitsOf(value: unknown): number[] {
  if (Array.isArray(value)) return value.flatMap(limitsOf);
  if (isWithin(value)) return value.kind === 'between' ? [value.min, value.max] : [];
  if (typeof value === 'number') return [value];
  const number = typeof value === 'string' ? Number(value) : Number.NaN;
  return Number.isNaN(number) ? [] : [number];
}

function disjoint(a: Within, b: Within): boolean {
  if (a.kind === 'between' && b.kind === 'between') return a.max < b.min || b.max < a.min;
  if (a.kind === 'one of' && b.kind === 'one of') return !a.words.some((word) => b.words.includes(word));
  return true;
}
