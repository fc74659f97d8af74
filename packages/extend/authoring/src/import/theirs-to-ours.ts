import type { Vocabulary } from '@leeward/engine';
import { factIndex } from '@leeward/engine/compiled';
import { findCounties, findState } from '@leeward/places/counties';
import { fold, isObject } from '@leeward/terms';

export interface Translation {
  readonly vocabulary: Vocabulary;
  /** Our names of facts, by theirs. */
  readonly facts: Readonly<Record<string, string>>;
  /** If there is only one, counties may be named without it. */
  readonly states: readonly string[];
}

/** Renames the facts of a rule, and spells its constants as the vocabulary does. Unknown names and words stay. */
export function translateRule(rule: unknown, translation: Translation): unknown {
  if (!isObject(rule) || !Object.hasOwn(rule, 'conditions')) return rule;
  return { ...rule, conditions: translateCondition(rule['conditions'], translation, 0) };
}

/** The check rejects deeper conditions. */
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
    const result = reference.field.schema?.safeParse(word);
    return result?.success && typeof result.data === 'string' ? result.data : word;
  }
  if (reference?.kind !== 'place') return word;
  if (reference.name === 'state') return findState(word)?.code ?? word;
  if (reference.name === 'policy_type') {
    const policyType = vocabulary.policyTypes.find((each) => fold(each) === fold(word));
    return policyType ?? vocabulary.policyTypeSpellings[fold(word)] ?? word;
  }
  const [state] = states;
  const isNameOnly = states.length === 1 && !/,|^\d+$/.test(word);
  return isNameOnly && findCounties(state!, word).length === 1 ? `${word}, ${state}` : word;
}

/** The fact with the same name in another case, such as `roofAge`. */
export function similarFact(fact: unknown, vocabulary: Vocabulary): string | undefined {
  if (typeof fact !== 'string') return undefined;
  const folded = fold(fact);
  return factIndex(vocabulary).names.find((name) => fold(name) === folded);
}
