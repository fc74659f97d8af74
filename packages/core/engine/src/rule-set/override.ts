import {
  arrayOf,
  createSuggestionBudget,
  didYouMean,
  type Fault,
  isObject,
  own,
  quoteValue,
  withSuggestions,
} from '@leeward/terms';
import type { Leaf } from '../condition/condition.ts';
import { homeVocabulary } from '../vocabulary/home.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { sha256OfJson } from './canonical.ts';
import { checkRuleSet } from './check.ts';
import { addContradictions } from './contradictions.ts';
import { readPlaces } from './places.ts';
import { policyTypeFault } from './policy-type-fault.ts';
import type { Rule, RuleSet } from './rule-set.ts';

/** A checked override: rules that an organization adds to a carrier's rule set. It can only tighten. */
export interface Override {
  readonly carrierKey: string;
  /** Added rules, and exclusions as declining rules. */
  readonly rules: readonly Rule[];
  /** SHA-256 over the canonical JSON of the override. */
  readonly sha256: string;
  /** The file as given. */
  readonly file: unknown;
}

/** A checked override, or all of its faults. */
export interface CheckedOverride {
  /** Present if there are no faults. */
  readonly override?: Override;
  readonly faults: readonly Fault[];
}

const keys = ['carrier_key', 'add_rules', 'exclude'];
const excludeKeys = ['policy_types', 'states', 'counties'];

/**
 * Checks an override `{ "carrier_key", "add_rules", "exclude" }` under the limits for untrusted authors.
 *
 * @param of the carrier's rule sets, if known: ids of added rules must differ from theirs
 * @example
 *  const { override, faults } = checkOverride(JSON.parse(text), [ruleSet]);
 */
export function checkOverride(
  file: unknown,
  of: readonly RuleSet[] = [],
  vocabulary: Vocabulary = homeVocabulary,
): CheckedOverride {
  return checkOverrideAgainst(file, ruleIdsOf(of), vocabulary);
}

export function checkOverrideAgainst(
  file: unknown,
  existingIds: ReadonlySet<string>,
  vocabulary: Vocabulary,
): CheckedOverride {
  return withSuggestions(createSuggestionBudget(), () => check(file, existingIds, vocabulary));
}

export function ruleIdsOf(ruleSets: readonly RuleSet[]): ReadonlySet<string> {
  const rules = ruleSets.flatMap((each) => [...each.rules, ...each.programs.flatMap((program) => program.rules)]);
  return new Set(rules.map(({ id }) => id));
}

function check(file: unknown, existingIds: ReadonlySet<string>, vocabulary: Vocabulary): CheckedOverride {
  if (!isObject(file)) {
    const message = `An override is a JSON object with carrier_key, add_rules and exclude; this is ${quoteValue(file)}.`;
    return { faults: [{ path: '', code: 'invalid_type', message }] };
  }
  const faults: Fault[] = [...unknownKeys(file, '', keys)];
  const carrierKey = own(file, 'carrier_key');
  if (typeof carrierKey !== 'string') {
    faults.push({ path: '/carrier_key', code: 'missing_key', message: 'Name the carrier in carrier_key.' });
  }
  const added = own(file, 'add_rules') ?? [];
  const exclude = own(file, 'exclude') ?? {};
  if (!Array.isArray(added)) {
    faults.push({ path: '/add_rules', code: 'invalid_type', message: 'add_rules is a list of rules.' });
  }
  const rules = readAdded(arrayOf(added), existingIds, vocabulary, faults);
  if (!isObject(exclude)) {
    faults.push({ path: '/exclude', code: 'invalid_type', message: 'exclude is an object.' });
  } else rules.push(...readExclude(exclude, vocabulary, faults));
  if (faults.length === 0 && rules.length === 0) {
    const message = 'This override changes nothing; give add_rules or exclude.';
    faults.push({ path: '', code: 'empty_override', message });
  }
  if (faults.length > 0) return { faults };
  return { override: { carrierKey: carrierKey as string, rules, sha256: sha256OfJson(file), file }, faults };
}

/**
 * Returns the rule set with the rules of an override as additional top rules. Equal overrides share the result.
 *
 * @example const tightened = applyOverride(ruleSet, override);
 */
export function applyOverride(ruleSet: RuleSet, override: Override): RuleSet {
  const cached = applied.get(ruleSet) ?? new Map<string, RuleSet>();
  applied.set(ruleSet, cached);
  let result = cached.get(override.sha256);
  if (!result) {
    const rules = [...ruleSet.rules, ...override.rules];
    result = override.rules.some((rule) => rule.demands)
      ? { ...ruleSet, ...withContradictions({ rules, programs: ruleSet.programs }) }
      : { ...ruleSet, rules };
    if (cached.size >= MAX_CACHED_OVERRIDES) cached.delete(cached.keys().next().value!);
    cached.set(override.sha256, result);
  }
  return result;
}

function withContradictions(parts: Pick<RuleSet, 'rules' | 'programs'>): Pick<RuleSet, 'rules' | 'programs'> {
  const { rules, programs } = addContradictions(parts);
  return { rules, programs };
}

/** Each added offer may contradict every offer of the carrier. */
const MAX_OFFERS = 50;

const MAX_CACHED_OVERRIDES = 200;
const applied = new WeakMap<RuleSet, Map<string, RuleSet>>();

function readAdded(
  added: readonly unknown[],
  existingIds: ReadonlySet<string>,
  vocabulary: Vocabulary,
  faults: Fault[],
): Rule[] {
  const checked = checkRuleSet(
    {
      format: 1,
      carrier: { key: 'override', name: 'override' },
      line: vocabulary.line,
      version: '1',
      effective: { from: '1900-01-01' },
      rules: added,
      programs: [{ id: 'all', policy_types: [vocabulary.policyTypes[0]], states: ['tx'] }],
    },
    { vocabulary, fromStranger: true },
  );
  const moved = (path: string) => path.replace(/^\/rules/, '/add_rules');
  for (const fault of checked.faults) faults.push({ ...fault, path: moved(fault.path) });
  const offers = added.filter((rule) => isObject(rule) && own(rule, 'outcome') === 'offer').length;
  if (offers > MAX_OFFERS) {
    const message = `${offers} offers; an override adds at most ${MAX_OFFERS}.`;
    faults.push({ path: '/add_rules', code: 'too_many_rules', message });
  }
  added.forEach((rule, index) => {
    const id = isObject(rule) ? own(rule, 'id') : undefined;
    if (typeof id !== 'string' || !existingIds.has(id)) return;
    const message = `The carrier already has a rule ${quoteValue(id)}; choose another id.`;
    faults.push({ path: `/add_rules/${index}/id`, code: 'duplicate_id', message });
  });
  return (checked.ruleSet?.rules ?? []).map((rule) => ({ ...rule, path: moved(rule.path) }));
}

function readExclude(exclude: Readonly<Record<string, unknown>>, vocabulary: Vocabulary, faults: Fault[]): Rule[] {
  faults.push(...unknownKeys(exclude, '/exclude', excludeKeys));
  const rules: Rule[] = [];
  const policyTypes = listOf(exclude, 'policy_types', faults);
  policyTypes.forEach((text, index) => {
    if (vocabulary.policyTypes.includes(text)) return;
    faults.push(policyTypeFault(text, `/exclude/policy_types/${index}`, vocabulary));
  });
  if (policyTypes.length > 0)
    rules.push(
      declining(
        'policy_type',
        policyTypes,
        'policy_type',
        'This organization does not sell {policy_type} of this carrier.',
      ),
    );
  const states = listOf(exclude, 'states', faults);
  readPlaces({ states }, '/exclude', faults);
  const outside = 'This organization does not sell this carrier at this location.';
  if (states.length > 0) rules.push(declining('state', states, 'territory', outside));
  const counties = readCounties(exclude, faults);
  if (counties.length > 0) rules.push(declining('county', counties, 'territory', outside));
  return rules;
}

/** Reads `{ "fl": ["broward"] }`, checked like the places of programs. */
function readCounties(exclude: Readonly<Record<string, unknown>>, faults: Fault[]): string[] {
  const source = own(exclude, 'counties');
  if (source !== undefined && !isObject(source)) {
    faults.push({ path: '/exclude/counties', code: 'invalid_type', message: 'counties is an object: names by state.' });
  }
  const selections = Object.fromEntries(
    Object.entries(isObject(source) ? source : {}).map(([state, names]) => {
      if (!Array.isArray(names) || !names.every((name) => typeof name === 'string')) {
        const message = `The counties of ${quoteValue(state)} are a list of names.`;
        faults.push({ path: `/exclude/counties/${state}`, code: 'invalid_type', message });
      }
      return [state, { include: arrayOf(names) }];
    }),
  );
  const selectionFaults: Fault[] = [];
  const { counties } = readPlaces({ counties: selections }, '', selectionFaults);
  for (const fault of selectionFaults) faults.push({ ...fault, path: `/exclude${fault.path.replace('/include', '')}` });
  return [...counties.values()].flatMap(({ fips }) => [...fips]);
}

function listOf(source: Readonly<Record<string, unknown>>, key: string, faults: Fault[]): string[] {
  const list = own(source, key) ?? [];
  if (Array.isArray(list) && list.every((text) => typeof text === 'string')) return list;
  faults.push({ path: `/exclude/${key}`, code: 'invalid_type', message: `${key} is a list of words.` });
  return [];
}

function declining(fact: string, value: readonly string[], code: string, message: string): Rule {
  const written = { fact, operator: 'in', value };
  const leaf: Leaf = { kind: 'leaf', ...written, written };
  return {
    id: `override-${fact.replace('_', '-')}`,
    outcome: 'decline',
    code,
    message,
    condition: { kind: 'all', of: [leaf] },
    priority: 1,
    path: '/exclude',
  };
}

function unknownKeys(source: Readonly<Record<string, unknown>>, path: string, allowedKeys: readonly string[]): Fault[] {
  return Object.keys(source)
    .filter((key) => !allowedKeys.includes(key))
    .map((key) => ({
      path: `${path}/${key}`,
      code: 'unknown_key',
      message: `${quoteValue(key)} is not a key here; use one of: ${allowedKeys.join(', ')}.${didYouMean(key, allowedKeys)}`,
    }));
}
