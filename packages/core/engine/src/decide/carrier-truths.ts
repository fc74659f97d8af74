import type { SettledStatus } from '../verdict/verdict.ts';
import { hasSafeValue } from './carrier-status.ts';
import type { LooseAxis, RuleReading } from './rule-reading.ts';
import type { Decider } from './rule-table.ts';

/** The rules that a verdict of a carrier names. */
export interface CarrierTruths {
  /** Rules that decide the status, or hold already while it is open. */
  readonly deciding: readonly Decider[];
  readonly required: readonly Decider[];
  readonly possiblyRequired: readonly Decider[];
  readonly noted: readonly Decider[];
}

const NONE: readonly never[] = [];

/**
 * Determines which rules of a carrier hold and which may hold. Undefined if that needs a search, because several terms or rules might
 * together exclude every value.
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
  if (!isOutside && !areRequirementsClear(reading, carrier)) return undefined;
  let deciding: readonly Decider[] = NONE;
  if (status === 'ineligible') {
    const certain = gather(reading, carrier, decline, 'certain');
    // Unless the place is certainly inside the territory, no rule is certain alone.
    deciding = isInside ? certain : certain.filter(({ rule }) => !rule);
    if (deciding.length === 0 && certain.length > 0) deciding = jointWithTerritory(reading, carrier, certain[0]!);
    if (deciding.length === 0) return undefined;
  } else if (status !== 'eligible' && isInside) deciding = gather(reading, carrier, refer, 'certain');
  if (isOutside) return { deciding, required: NONE, possiblyRequired: NONE, noted: NONE };
  return {
    deciding,
    required: isInside ? gather(reading, carrier, require, 'certain') : NONE,
    possiblyRequired: gather(reading, carrier, require, isInside ? 'open' : 'possible'),
    noted: isInside ? gather(reading, carrier, inform, 'certain') : NONE,
  };
}

/** A rule counts only if the place is certainly inside the territory. */
export function hasCertainDecline({ table, possible, certain }: RuleReading, carrier: number): boolean {
  const { decline, firstWord, deciders } = table;
  const first = firstWord[carrier]!;
  const isInside = (possible[first]! & 1) === 0;
  for (let word = first; word < firstWord[carrier + 1]!; word++) {
    for (let bits = certain[word]! & decline[word]!; bits !== 0; bits &= bits - 1) {
      if (isInside || !deciders[32 * word + 31 - Math.clz32(bits & -bits)]!.rule) return true;
    }
  }
  return false;
}

/**
 * The territory and the first certainly declining rule: the territory declines outside, the rule inside. Empty if a search must
 * determine if earlier rules would suffice.
 */
function jointWithTerritory(reading: RuleReading, carrier: number, rule: Decider): readonly Decider[] {
  const { possible, table } = reading;
  const { firstWord, deciders, decline } = table;
  const from = firstWord[carrier]!;
  const to = firstWord[carrier + 1]!;
  let isBefore = true;
  for (let word = from; word < to; word++) {
    let before = 0;
    let bits: number = isBefore ? possible[word]! & decline[word]! : 0;
    for (; bits !== 0; bits &= bits - 1) {
      const bit = bits & -bits;
      isBefore = deciders[32 * word + 31 - Math.clz32(bit)] !== rule;
      if (!isBefore) break;
      before |= bit;
    }
    openTerms[word - from] = before;
  }
  return canAllFail(reading, carrier) ? [deciders[32 * from]!, rule] : NONE;
}

/** Rules with a term of an outcome that is certain, possible, or possible without any certain term (`open`). */
function gather(
  { table, possible, certain }: RuleReading,
  carrier: number,
  outcome: Int32Array,
  truth: 'certain' | 'possible' | 'open',
): readonly Decider[] {
  const { firstWord, deciders } = table;
  const end = firstWord[carrier + 1]!;
  let result: Decider[] | undefined;
  let last: Decider | undefined;
  let isCertain = false;
  for (let word = firstWord[carrier]!; word < end; word++) {
    for (let bits = (truth === 'certain' ? certain : possible)[word]! & outcome[word]!; bits !== 0; bits &= bits - 1) {
      const bit = bits & -bits;
      const decider = deciders[32 * word + 31 - Math.clz32(bit)]!;
      if (decider !== last) {
        // Only `open` needs all terms of a rule.
        if (last && !isCertain && truth === 'open') result = append(result, last);
        last = decider;
        isCertain = false;
        if (truth !== 'open') result = append(result, decider);
      }
      if ((certain[word]! & bit) !== 0) isCertain = true;
    }
  }
  if (last && !isCertain && truth === 'open') result = append(result, last);
  return result ?? NONE;
}

function append(list: Decider[] | undefined, decider: Decider): Decider[] {
  if (!list) return [decider];
  list.push(decider);
  return list;
}

/** True if no open requirement or note depends on tests that restrict each other. */
function areRequirementsClear(reading: RuleReading, carrier: number): boolean {
  const { table, possible, certain, tests, related } = reading;
  if (tests.length === 0 && related.length === 0) return true;
  const { firstWord, require, inform, deciders } = table;
  const from = firstWord[carrier]!;
  const to = firstWord[carrier + 1]!;
  let last: Decider | undefined;
  /** For each pair of `related`: 1 if the rule tests the lower, 2 the higher. */
  const tested = new Uint8Array(related.length);
  for (let word = from; word < to; word++) {
    for (
      let bits = possible[word]! & ~certain[word]! & (require[word]! | inform[word]!);
      bits !== 0;
      bits &= bits - 1
    ) {
      const bit = bits & -bits;
      const decider = deciders[32 * word + 31 - Math.clz32(bit)]!;
      if (decider !== last) tested.fill(0);
      last = decider;
      const leaves = ({ every, everyFrom }: LooseAxis) => (every[everyFrom + word]! & bit) === 0;
      if (tests.some(leaves)) return false;
      for (const [index, [lower, higher]] of related.entries()) {
        if (leaves(lower)) tested[index]! |= 1;
        if (leaves(higher)) tested[index]! |= 2;
        if (tested[index] === 3) return false;
      }
    }
  }
  return true;
}

const openTerms: number[] = [];
const openOnAxis: number[] = [];

/** True if no rule with several open terms must hold because of their combination. */
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
  const isClear = () => open < 2 || isCertain || canAllFail(reading, carrier);
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

/** True if every axis has a value at which all `openTerms` fail. */
function canAllFail(reading: RuleReading, carrier: number): boolean {
  const { table, loose } = reading;
  const from = table.firstWord[carrier]!;
  const count = table.firstWord[carrier + 1]! - from;
  for (const axis of loose) {
    let any = 0;
    for (let word = 0; word < count; word++) {
      openOnAxis[word] = openTerms[word]! & ~axis.every[axis.everyFrom + from + word]!;
      any |= openOnAxis[word]!;
    }
    if (any !== 0 && !hasSafeValue(reading, carrier, axis, openOnAxis, 0)) return false;
  }
  return true;
}
