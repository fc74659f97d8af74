import type { CompiledProgram } from '../compiled/compile-program.ts';

const known = new WeakMap<CompiledProgram, WeakMap<CompiledProgram, boolean>>();

/**
 * Whether two programs of one policy type and year say the same, word for word: carriers of a group often share their
 * rules. What a search finds of one of them holds for the other. Compared once.
 */
export function haveSameRules(one: CompiledProgram, other: CompiledProgram): boolean {
  if (one === other) return true;
  const ofOne = known.get(one) ?? new WeakMap<CompiledProgram, boolean>();
  known.set(one, ofOne);
  let same = ofOne.get(other);
  if (same === undefined) {
    same = one.rules.length === other.rules.length && isSame(said(one), said(other), { left: MAX_COMPARED });
    ofOne.set(other, same);
  }
  return same;
}

const said = ({ ruleSet, programs }: CompiledProgram) => [ruleSet.rules, programs, ruleSet.moratoria];

/** Values compared before two programs are taken to differ: shared conditions may unfold to very many. */
const MAX_COMPARED = 50_000;

/** Compares what rule sets are made of: plain objects, lists, maps and sets of words. */
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
