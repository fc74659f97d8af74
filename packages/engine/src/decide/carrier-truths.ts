import type { Rule } from '../rule-set/rule-set.ts';
import type { SettledStatus } from '../verdict/verdict.ts';
import { hasSafeValue } from './carrier-status.ts';
import type { RuleReading } from './rule-reading.ts';
import type { Decider } from './rule-table.ts';

/** What a verdict names of the rules of a carrier. */
export interface CarrierTruths {
  /** What decides the status, or holds already while it is open. */
  readonly deciding: readonly Decider[];
  readonly required: readonly Rule[];
  readonly possiblyRequired: readonly Rule[];
  readonly noted: readonly Rule[];
}

const NONE: readonly never[] = [];

/**
 * Reads off which rules of a carrier hold and which may. Undefined where only a search can tell: where terms of
 * one rule, or several rules, may leave no room together though none of them does alone.
 */
export function readTruths(
  reading: RuleReading,
  carrier: number,
  status: SettledStatus | undefined,
): CarrierTruths | undefined {
  const { decline, refer, require, inform, firstWord } = reading.table;
  const first = firstWord[carrier]!;
  // The territory is the first term of every carrier.
  const isOutside = (reading.certain[first]! & 1) !== 0;
  const isInside = (reading.possible[first]! & 1) === 0;
  if (isInside && !isEachRuleClear(reading, carrier)) return undefined;
  let deciding: readonly Decider[] = NONE;
  if (status === 'ineligible') {
    deciding = gather(reading, carrier, decline, 'certain');
    // While the place may not be the carrier's, no rule of it is certain.
    if (!isInside) deciding = deciding.filter(({ rule }) => !rule);
    // Certain only together with others.
    if (deciding.length === 0) return undefined;
  } else if (status !== 'eligible' && isInside) deciding = gather(reading, carrier, refer, 'certain');
  if (isOutside) return { deciding, required: NONE, possiblyRequired: NONE, noted: NONE };
  return {
    deciding,
    required: isInside ? rulesOf(gather(reading, carrier, require, 'certain')) : NONE,
    possiblyRequired: rulesOf(gather(reading, carrier, require, isInside ? 'open' : 'possible')),
    noted: isInside ? rulesOf(gather(reading, carrier, inform, 'certain')) : NONE,
  };
}

function rulesOf(deciders: readonly Decider[]): readonly Rule[] {
  return deciders.length === 0 ? NONE : deciders.map(({ rule }) => rule!);
}

/** What has a term of an outcome that holds for certain, that can hold, or that can and no other that must. */
function gather(
  { table, possible, certain }: RuleReading,
  carrier: number,
  outcome: Int32Array,
  wanted: 'certain' | 'possible' | 'open',
): readonly Decider[] {
  const { firstWord, deciders } = table;
  const found: Decider[] = [];
  let last: Decider | undefined;
  let isCertain = false;
  const take = () => {
    if (last && (wanted === 'possible' || isCertain === (wanted === 'certain'))) found.push(last);
  };
  for (let word = firstWord[carrier]!; word < firstWord[carrier + 1]!; word++) {
    for (let bits = (wanted === 'certain' ? certain : possible)[word]! & outcome[word]!; bits !== 0; bits &= bits - 1) {
      const decider = deciders[32 * word + 31 - Math.clz32(bits & -bits)]!;
      if (decider !== last) {
        take();
        last = decider;
        isCertain = false;
      }
      if ((certain[word]! & bits & -bits) !== 0) isCertain = true;
    }
  }
  take();
  return found;
}

const openTerms: number[] = [];
const openThere: number[] = [];

/** Whether no rule of several terms can hold by those together that are open: each leaves some room. */
function isEachRuleClear(reading: RuleReading, carrier: number): boolean {
  const { table, possible, certain } = reading;
  const { firstWord, several, deciders } = table;
  const from = firstWord[carrier]!;
  const to = firstWord[carrier + 1]!;
  let any = 0;
  for (let word = from; word < to; word++) any |= possible[word]! & ~certain[word]! & several[word]!;
  if (any === 0) return true;
  let last: Decider | undefined;
  let open = 0;
  let isCertain = false;
  const isClear = () => open < 2 || isCertain || leavesRoom(reading, carrier);
  for (let word = from; word < to; word++) {
    for (let bits = possible[word]! & several[word]!; bits !== 0; bits &= bits - 1) {
      const bit = bits & -bits;
      const decider = deciders[32 * word + 31 - Math.clz32(bit)]!;
      if (decider !== last) {
        if (!isClear()) return false;
        last = decider;
        open = 0;
        isCertain = false;
        for (let each = from; each < to; each++) openTerms[each - from] = 0;
      }
      if ((certain[word]! & bit) !== 0) isCertain = true;
      else {
        openTerms[word - from]! |= bit;
        open++;
      }
    }
  }
  return isClear();
}

/** Whether every axis has a value that all of `openTerms` fail. */
function leavesRoom(reading: RuleReading, carrier: number): boolean {
  const { table, loose } = reading;
  const from = table.firstWord[carrier]!;
  const count = table.firstWord[carrier + 1]! - from;
  for (const axis of loose) {
    let any = 0;
    for (let word = 0; word < count; word++) {
      openThere[word] = openTerms[word]! & ~axis.every[axis.everyFrom + from + word]!;
      any |= openThere[word]!;
    }
    if (any !== 0 && !hasSafeValue(reading, carrier, axis, openThere, 0)) return false;
  }
  return true;
}
