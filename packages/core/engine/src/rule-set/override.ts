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
import { readPlaces } from './places.ts';
import { policyTypeFault } from './policy-type-fault.ts';
import type { Rule, RuleSet } from './rule-set.ts';

/** What an organization adds to a carrier's rules, checked. It only tightens. */
export interface Override {
  readonly carrierKey: string;
  /** Added rules, and what is excluded written as declining rules. */
  readonly rules: readonly Rule[];
  /** SHA-256 over the canonical JSON of the override. */
  readonly sha256: string;
  /** As it was given. */
  readonly file: unknown;
}

/** An override that can be applied, or all that is wrong with it. */
export interface CheckedOverride {
  /** Present when there are no faults. */
  readonly override?: Override;
  readonly faults: readonly Fault[];
}

const keys = ['carrier_key', 'add_rules', 'exclude'];
const excludeKeys = ['policy_types', 'states', 'counties'];

/**
 * Checks `{ "carrier_key", "add_rules", "exclude" }` under the limits for files from strangers. `of` are
 * the carrier's rule sets where they are known: added rules need ids of their own.
 */
export function checkOverride(
  file: unknown,
  of: readonly RuleSet[] = [],
  vocabulary: Vocabulary = homeVocabulary,
): CheckedOverride {
  return checkOverrideAgainst(file, ruleIdsOf(of), vocabulary);
}

/** Like `checkOverride`, but takes the ids that the carrier's rules have. */
export function checkOverrideAgainst(
  file: unknown,
  takenIds: ReadonlySet<string>,
  vocabulary: Vocabulary,
): CheckedOverride {
  return withSuggestions(createSuggestionBudget(), () => check(file, takenIds, vocabulary));
}

/** Ids of all rules of some rule sets. */
export function ruleIdsOf(ruleSets: readonly RuleSet[]): ReadonlySet<string> {
  const rules = ruleSets.flatMap((each) => [...each.rules, ...each.programs.flatMap((program) => program.rules)]);
  return new Set(rules.map(({ id }) => id));
}

function check(file: unknown, takenIds: ReadonlySet<string>, vocabulary: Vocabulary): CheckedOverride {
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
  const rules = readAdded(arrayOf(added), takenIds, vocabulary, faults);
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

/** The rule set with an override's rules as top rules. Compiled apart, and once for everybody who has both. */
export function applyOverride(ruleSet: RuleSet, override: Override): RuleSet {
  const known = applied.get(ruleSet) ?? new Map<string, RuleSet>();
  applied.set(ruleSet, known);
  let result = known.get(override.sha256);
  if (!result) {
    result = { ...ruleSet, rules: [...ruleSet.rules, ...override.rules] };
    if (known.size >= OVERRIDES_KEPT) known.delete(known.keys().next().value!);
    known.set(override.sha256, result);
  }
  return result;
}

/** Overrides of one rule set that are kept: whoever edits one again and again must not fill the memory. */
const OVERRIDES_KEPT = 200;
const applied = new WeakMap<RuleSet, Map<string, RuleSet>>();

/** Reads added rules as the top rules of a file that offers everything and says nothing else. */
function readAdded(
  added: readonly unknown[],
  takenIds: ReadonlySet<string>,
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
  added.forEach((rule, index) => {
    const id = isObject(rule) ? own(rule, 'id') : undefined;
    if (typeof id !== 'string' || !takenIds.has(id)) return;
    const message = `The carrier has a rule ${quoteValue(id)} already; give this one another id.`;
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
  const outside = 'This organization does not sell this carrier there.';
  if (states.length > 0) rules.push(declining('state', states, 'territory', outside));
  const counties = readCounties(exclude, faults);
  if (counties.length > 0) rules.push(declining('county', counties, 'territory', outside));
  return rules;
}

/** `{ "fl": ["broward"] }`, by state; names are checked as those of programs are. */
function readCounties(exclude: Readonly<Record<string, unknown>>, faults: Fault[]): string[] {
  const given = own(exclude, 'counties');
  if (given !== undefined && !isObject(given)) {
    faults.push({ path: '/exclude/counties', code: 'invalid_type', message: 'counties is an object: names by state.' });
  }
  const selections = Object.fromEntries(
    Object.entries(isObject(given) ? given : {}).map(([state, names]) => {
      if (!Array.isArray(names) || !names.every((name) => typeof name === 'string')) {
        const message = `The counties of ${quoteValue(state)} are a list of names.`;
        faults.push({ path: `/exclude/counties/${state}`, code: 'invalid_type', message });
      }
      return [state, { include: arrayOf(names) }];
    }),
  );
  const found: Fault[] = [];
  const { counties } = readPlaces({ counties: selections }, '', found);
  for (const fault of found) faults.push({ ...fault, path: `/exclude${fault.path.replace('/include', '')}` });
  return [...counties.values()].flatMap(({ fips }) => [...fips]);
}

function listOf(source: Readonly<Record<string, unknown>>, key: string, faults: Fault[]): string[] {
  const given = own(source, key) ?? [];
  if (Array.isArray(given) && given.every((text) => typeof text === 'string')) return given;
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

function unknownKeys(source: Readonly<Record<string, unknown>>, path: string, known: readonly string[]): Fault[] {
  return Object.keys(source)
    .filter((key) => !known.includes(key))
    .map((key) => ({
      path: `${path}/${key}`,
      code: 'unknown_key',
      message: `${quoteValue(key)} means nothing here; there are: ${known.join(', ')}.${didYouMean(key, known)}`,
    }));
}
