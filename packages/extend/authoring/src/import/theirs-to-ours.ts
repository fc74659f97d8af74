import type { Vocabulary } from '@leeward/engine';
import { factIndex } from '@leeward/engine/compiled';
import { findCounties, findState } from '@leeward/places/counties';
import { fold, isObject, own, pointer, quoteValue } from '@leeward/terms';
import type { Finding } from '../finding/finding.ts';

export interface Translation {
  readonly vocabulary: Vocabulary;
  /** Our names of facts, by theirs. A value in a fact that is an object has its path: `account$.balance`. */
  readonly facts: Readonly<Record<string, string>>;
  /** If there is only one, counties may be named without it. */
  readonly states: readonly string[];
}

/** Renames the facts of a rule, and spells its constants as the vocabulary does. Unknown names and words stay. */
export function translateRule(rule: unknown, translation: Translation): unknown {
  if (!isObject(rule) || !Object.hasOwn(rule, 'conditions')) return rule;
  return { ...rule, conditions: translateCondition(rule['conditions'], translation) };
}

/** The check rejects deeper conditions. */
const MAX_DEPTH = 100;

/** Renames the facts of a condition like {@link translateRule}. */
export function translateCondition(node: unknown, translation: Translation, depth = 0): unknown {
  if (depth > MAX_DEPTH) return node;
  if (Array.isArray(node)) return node.map((each) => translateCondition(each, translation, depth + 1));
  if (!isObject(node)) return node;
  const entries = Object.entries(node);
  const { fact } = node;
  if (typeof fact !== 'string')
    return Object.fromEntries(entries.map(([key, child]) => [key, translateCondition(child, translation, depth + 1)]));
  const ours = factNamed(node, translation);
  return Object.fromEntries(
    entries.flatMap(([key, child]) => {
      if (key === 'fact') return [[key, ours.fact]];
      if (key === 'path' && ours.hasPath) return [];
      return [[key, key === 'value' ? translateValue(child, ours.fact, translation) : child]];
    }),
  );
}

/** Returns our name of the fact at the path of a test, else of the fact. */
function factNamed(
  node: Readonly<Record<string, unknown>>,
  { facts }: Translation,
): { readonly fact: string; readonly hasPath: boolean } {
  const fact = node['fact'] as string;
  const withPath = keyOfPath(node);
  if (withPath !== undefined && Object.hasOwn(facts, withPath)) return { fact: facts[withPath]!, hasPath: true };
  return { fact: Object.hasOwn(facts, fact) ? facts[fact]! : fact, hasPath: false };
}

/** The fact of a test with its path, as `facts` names it: `account$.balance`. */
function keyOfPath(node: Readonly<Record<string, unknown>>): string | undefined {
  const { fact, path } = node;
  if (typeof fact !== 'string' || typeof path !== 'string' || path === '') return undefined;
  return `${fact}${path.startsWith('$') ? path : `$.${path}`}`;
}

/**
 * The parts of a condition that depend on the program around json-rules-engine: paths into facts that are objects, and parameters of
 * facts that are functions. Without them, a test would be about another value.
 */
export function findHostParts(condition: unknown, path: string, facts: Translation['facts']): readonly Finding[] {
  const findings: Finding[] = [];
  const visit = (node: unknown, at: string, depth: number): void => {
    if (depth > MAX_DEPTH || typeof node !== 'object' || node === null) return;
    if (isObject(node) && typeof node['fact'] === 'string') {
      const key = keyOfPath(node);
      if (key !== undefined && !Object.hasOwn(facts, key)) {
        const message = `Left out. It tests ${quoteValue(node['path'])} of ${quoteValue(node['fact'])}; give this value a fact: --fact '${key}=FACT'.`;
        findings.push({ code: 'fact_path', path: `${at}/path`, message, severity: 'fault' });
      }
      const params = own(node, 'params');
      if (isObject(params) && Object.keys(params).length > 0) {
        const message = `Left out. ${quoteValue(node['fact'])} has parameters, so a function of your program computes it; test a fact of the line without "params".`;
        findings.push({ code: 'fact_params', path: `${at}/params`, message, severity: 'fault' });
      }
    }
    for (const [key, child] of Object.entries(node))
      if (key !== 'params') visit(child, `${at}${pointer(key)}`, depth + 1);
  };
  visit(condition, path, 0);
  return findings;
}

function translateValue(value: unknown, fact: string, translation: Translation): unknown {
  if (Array.isArray(value)) return value.map((each) => translateValue(each, fact, translation));
  if (isObject(value) && typeof value['fact'] === 'string') {
    const { path, ...rest } = value;
    const ours = factNamed(value, translation);
    return { ...rest, ...(ours.hasPath || path === undefined ? {} : { path }), fact: ours.fact };
  }
  return typeof value === 'string' ? translateWord(value, fact, translation) : value;
}

/** Spells a word like the vocabulary does. Unknown words stay. */
export function translateWord(word: string, fact: string, { vocabulary, states }: Translation): unknown {
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
