import type { Vocabulary } from '@leeward/engine';
import { factIndex } from '@leeward/engine/compiled';
import { findCounties, findState } from '@leeward/places/counties';
import { fold, isObject } from '@leeward/terms';

/** The tables that translate rules of other formats. */
export interface Translation {
  readonly vocabulary: Vocabulary;
  /** Their names of facts, and ours. */
  readonly facts: Readonly<Record<string, string>>;
  /** A county without its state is looked for in the only one. */
  readonly states: readonly string[];
}

/** A rule of others in our words: facts by their names here, constants spelled as requests are read. What is unknown stays. */
export function translateRule(rule: unknown, translation: Translation): unknown {
  if (!isObject(rule) || !Object.hasOwn(rule, 'conditions')) return rule;
  return { ...rule, conditions: translateCondition(rule['conditions'], translation, 0) };
}

/** Deeper conditions are refused when they are checked. */
const MAX_DEPTH = 100;

function translateCondition(node: unknown, translation: Translation, depth: number): unknown {
  if (depth > MAX_DEPTH) return node;
  if (Array.isArray(node)) return node.map((each) => translateCondition(each, translation, depth + 1));
  if (!isObject(node)) return node;
  const entries = Object.entries(node);
  const { fact } = node;
  if (typeof fact !== 'string')
    return Object.fromEntries(entries.map(([key, child]) => [key, translateCondition(child, translation, depth + 1)]));
  const ours = factNamed(fact, translation);
  return Object.fromEntries(
    entries.map(([key, child]) => {
      if (key === 'fact') return [key, ours];
      return [key, key === 'value' ? translateValue(child, ours, translation) : child];
    }),
  );
}

function factNamed(fact: string, { facts }: Translation): string {
  return Object.hasOwn(facts, fact) ? facts[fact]! : fact;
}

function translateValue(value: unknown, fact: string, translation: Translation): unknown {
  if (Array.isArray(value)) return value.map((each) => translateValue(each, fact, translation));
  if (isObject(value) && typeof value['fact'] === 'string')
    return { ...value, fact: factNamed(value['fact'], translation) };
  return typeof value === 'string' ? translateWord(value, fact, translation) : value;
}

function translateWord(word: string, fact: string, { vocabulary, states }: Translation): unknown {
  const reference = factIndex(vocabulary).find(fact);
  if (reference?.kind === 'field' && !reference.field.form) {
    const read = reference.field.schema?.safeParse(word);
    return read?.success && typeof read.data === 'string' ? read.data : word;
  }
  if (reference?.kind !== 'place') return word;
  if (reference.name === 'state') return findState(word)?.code ?? word;
  if (reference.name === 'policy_type') {
    const named = vocabulary.policyTypes.find((each) => fold(each) === fold(word));
    return named ?? vocabulary.policyTypeSpellings[fold(word)] ?? word;
  }
  const [state] = states;
  const isAlone = states.length === 1 && !/,|^\d+$/.test(word);
  return isAlone && findCounties(state!, word).length === 1 ? `${word}, ${state}` : word;
}

/** Our fact for a name in another case, like `roofAge`; undefined if there is none. */
export function meantFact(fact: unknown, vocabulary: Vocabulary): string | undefined {
  if (typeof fact !== 'string') return undefined;
  const meant = fold(fact);
  return factIndex(vocabulary).names.find((name) => fold(name) === meant);
}
