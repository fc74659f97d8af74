import type { CompiledProgram } from '../compiled/compile-program.ts';

const comparisons = new WeakMap<CompiledProgram, WeakMap<CompiledProgram, boolean>>();

/**
 * True if two programs of one policy type and year have identical rules, as carriers of a group often do: they can share a search.
 * Cached.
 */
export function haveSameRules(one: CompiledProgram, other: CompiledProgram): boolean {
  if (one === other) return true;
  const ofOne = comparisons.get(one) ?? new WeakMap<CompiledProgram, boolean>();
  comparisons.set(one, ofOne);
  let same = ofOne.get(other);
  if (same === undefined) {
    same =
      one.rules.length === other.rules.length &&
      isSame(comparedParts(one), comparedParts(other), { left: MAX_COMPARED });
    ofOne.set(other, same);
  }
  return same;
}

const comparedParts = ({ ruleSet, programs }: CompiledProgram) => [ruleSet.rules, programs, ruleSet.moratoria];

/** Maximum number of comparisons before programs count as different: shared conditions can expand to very many. */
const MAX_COMPARED = 50_000;

function isSame(one: unknown, other: unknown, budget: { left: number }): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (--budget.left < 0) return false;
  if (one instanceof Set) {
    return other instanceof Set && one.size === other.size && [...one].every((each) => other.has(each));
  }
  const [left, right] = [entriesOf(one), entriesOf(other)];
  return left.size === right.size && [...left].every(([key, value]) => isSame(value, right.get(key), budget));
}

function entriesOf(value: object): ReadonlyMap<unknown, unknown> {
  return value instanceof Map ? value : new Map(Object.entries(value));
}
