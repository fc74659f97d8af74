import { capitalized } from '@leeward/terms';
import { describeOperator } from '../condition/operators.ts';
import type { Truth } from '../condition/truth.ts';

/** A test and its finding in words: the value first, then what follows from it. */
export interface TestWords {
  readonly label: string;
  /** The value of the home; undefined if nothing is known of it. */
  readonly value: string | undefined;
  readonly operator: string;
  readonly limit: string;
  /** For example the events that were counted. */
  readonly remark?: string | undefined;
  readonly truth: Truth;
}

/**
 * The sentence of a test: `Age of the roof: 22 years, which is more than 15 years.` It is true whether the test holds or not.
 */
export function testSentence({ label, value, operator, limit, remark, truth }: TestWords): string {
  const about = `${capitalized(label)}: ${value ?? 'not given'}${remark === undefined ? '' : ` (${remark})`}`;
  if (truth === 'undecided') {
    const isPlain = value === undefined && (limit === 'yes' || limit === 'no');
    return isPlain ? `${about}.` : `${about}; not known whether it ${describeOperator(operator)} ${limit}.`;
  }
  const words = describeOperator(operator, truth === 'true');
  if (value === limit && words === 'is') return `${about}.`;
  if (value === undefined) return `${about}; for every possible value it ${words} ${limit}.`;
  if (words === 'is not') return limit === 'yes' || limit === 'no' ? `${about}.` : `${about}, not ${limit}.`;
  return `${about}, which ${words} ${limit}.`;
}

/** Longer lists are counted, not written. */
const MAX_LISTED = 6;

/** The values of a list in words: `Harris County, TX or Galveston County, TX`; `the 42 in the rule` for a long list. */
export function listWords(values: readonly string[]): string {
  if (values.length > MAX_LISTED) return `the ${values.length} in the rule`;
  return values.length === 0 ? 'none' : values.join(' or ');
}
