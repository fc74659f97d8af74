import { didYouMean, quoteValue } from '@leeward/terms';
import { type Leaf, type Tree, valueFact } from '../condition/condition.ts';
import { operatorFunction, type ParsedOperator } from '../condition/operators.ts';
import type { SetReference } from '../vocabulary/fact-index.ts';
import type { Field } from '../vocabulary/field.ts';
import { YES } from '../vocabulary/flag-field.ts';
import type { ConditionContext } from './condition-context.ts';

const never: Tree = { kind: 'not', of: { kind: 'all', of: [] } };

/**
 * Converts a test of a set to tests of its words: `contains` tests one word, `someFact:in` any of some, `everyFact:notIn` none of them.
 */
export function readSetTest(
  leaf: Leaf,
  set: SetReference,
  parsed: ParsedOperator,
  path: string,
  context: ConditionContext,
): Tree {
  const { faults } = context;
  const before = faults.length;
  if (valueFact(leaf.value)) {
    const message = `${leaf.fact} is a set; compare it with its words, not with another fact.`;
    faults.push({ path: `${path}/value`, code: 'value_wrong_type', message });
  } else if (!suits(parsed)) {
    const message = `${leaf.operator} does not suit ${leaf.fact}, which is a set; use contains, doesNotContain, someFact:in or everyFact:notIn.`;
    faults.push({ path: `${path}/operator`, code: 'operator_not_for_kind', message });
  } else checkWords(leaf, set, parsed, path, context);
  return faults.length > before ? never : treeOf(leaf, set, parsed.decorators, parsed.base.name, leaf.value);
}

const takesApart = ['someFact', 'everyFact'];
const takesValueApart = ['someValue', 'everyValue'];

/** Operators without decorators test the contents of a set; those with a decorator each of its words. */
function suits({ base, decorators }: ParsedOperator): boolean {
  if (!decorators.every((each) => each === 'not' || takesApart.includes(each) || takesValueApart.includes(each)))
    return false;
  const apart = decorators.filter((each) => takesApart.includes(each)).length;
  return base.shape === 'member' ? apart === 0 : apart === 1 && (base.shape === 'equality' || base.shape === 'list');
}

function checkWords(
  { fact, operator, value }: Leaf,
  { members }: SetReference,
  { base, decorators }: ParsedOperator,
  path: string,
  { faults }: ConditionContext,
): void {
  const words = members.map(({ member }) => member!.word);
  const lists = decorators.filter((each) => takesValueApart.includes(each)).length + (base.shape === 'list' ? 1 : 0);
  const check = (each: unknown, at: string, within: number): void => {
    if (within < lists && Array.isArray(each)) {
      for (const [index, one] of each.entries()) check(one, `${at}/${index}`, within + 1);
    } else if (within < lists || Array.isArray(each)) {
      const message =
        within < lists
          ? `${operator} compares with a list, not with ${quoteValue(each)}.`
          : `${operator} compares with one word; for several use someFact:in or everyFact:notIn.`;
      faults.push({ path: at, code: 'value_wrong_type', message });
    } else if (typeof each !== 'string') {
      const message = `${fact} is compared with words, not with ${quoteValue(each)}.`;
      faults.push({ path: at, code: 'value_wrong_type', message });
    } else if (!words.includes(each)) {
      const message = `${quoteValue(each)} is not a word of ${fact}. Use one of: ${words.join(', ')}.${didYouMean(each, words)}`;
      faults.push({ path: at, code: 'unknown_value', message });
    }
  };
  check(value, `${path}/value`, 0);
}

function treeOf(leaf: Leaf, set: SetReference, decorators: readonly string[], base: string, value: unknown): Tree {
  const [first, ...rest] = decorators;
  switch (first) {
    case undefined: {
      const member = set.members.find((each) => each.member!.word === value)!;
      return has(leaf, set, member, base === 'contains');
    }
    case 'not':
      return { kind: 'not', of: treeOf(leaf, set, rest, base, value) };
    case 'someValue':
    case 'everyValue': {
      const of = (value as readonly unknown[]).map((each) => treeOf(leaf, set, rest, base, each));
      if (first === 'everyValue') return { kind: 'all', of };
      // An empty `any` holds, as in json-rules-engine, but a test of an empty list does not.
      return of.length === 0 ? never : { kind: 'any', of };
    }
    default: {
      // Tests each word separately: some must pass, or none must fail.
      const test = operatorFunction([...rest, base].join(':'))!;
      const isSome = first === 'someFact';
      const testedMembers = set.members.filter(({ member }) => test(member!.word, value) === isSome);
      const of = testedMembers.map((member) => has(leaf, set, member, isSome));
      if (!isSome) return { kind: 'all', of };
      return of.length === 0 ? never : { kind: 'any', of };
    }
  }
}

function has(leaf: Leaf, { name }: SetReference, { name: fact, member }: Field, contains: boolean): Leaf {
  return {
    kind: 'leaf',
    fact,
    operator: contains ? 'equal' : 'notEqual',
    value: YES,
    written: { ...leaf.written, fact: name, operator: contains ? 'contains' : 'doesNotContain', value: member!.word },
  };
}
