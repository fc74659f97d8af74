import {
  arrayOf,
  createSuggestionBudget,
  didYouMean,
  exceedsDepth,
  type Fault,
  isObject,
  own,
  pointer,
  quoteValue,
  type Warning,
  withSuggestions,
} from '@leeward/terms';
import type { z } from 'zod';
import type { Leaf, Tree } from '../condition/condition.ts';
import { homeVocabulary } from '../vocabulary/home.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { sha256OfJson } from './canonical.ts';
import { areaUseFaults, operatorAreaLimits, readAreas, strangerAreaLimits } from './check-areas.ts';
import type { HostNames } from './condition-context.ts';
import { addContradictions, MAX_CONTRADICTIONS } from './contradictions.ts';
import { duplicateIds } from './duplicate-ids.ts';
import { createExpansionMeasure, type Expansion } from './expansion.ts';
import { readPlaces } from './places.ts';
import { policyTypeFault } from './policy-type-fault.ts';
import { programOverlaps } from './program-overlaps.ts';
import { isConditional, readConditional } from './read-moratorium.ts';
import { isOutcome, messageFaults, readRule } from './read-rule.ts';
import type { CustomTerms } from './read-terms.ts';
import type { Moratorium, Program, Rule, RuleSet, Tier } from './rule-set.ts';
import { forEachLeafOfRule } from './rule-trees.ts';
import { outcomes, ruleSetSchema } from './schema.ts';
import { shapeFaults } from './shape-faults.ts';
import { shapeTestOf } from './shape-test.ts';
import { readSharedConditions } from './shared-conditions.ts';
import { countFault, sizeFault } from './stranger-limits.ts';
import { operatorLimits, strangerLimits, workFaults } from './work-limits.ts';

const MAX_DEPTH = 64;
/** Maximum number of nodes of all rules; beyond it, a verdict takes seconds. */
const MAX_EXPANSION = 1_000_000;
const MAX_EXPANSION_FROM_STRANGER = 20_000;

/** Options of {@link checkRuleSet}. */
export interface CheckOptions {
  /** @default `homeVocabulary` */
  readonly vocabulary?: Vocabulary;
  /** Names of facts and operators of the host. @default none */
  readonly host?: Partial<HostNames>;
  /**
   * True for a file from an untrusted author: no `path`, no host names, at most 500 rules and 256 KiB. @default false
   */
  readonly fromStranger?: boolean;
}

/** A checked rule set, or all of its faults, each with a JSON Pointer into the file. */
export interface CheckedRuleSet {
  /** Present if there are no faults. */
  readonly ruleSet?: RuleSet;
  readonly faults: readonly Fault[];
  readonly warnings: readonly Warning[];
}

const none: ReadonlySet<string> = new Set();
const warningsByRuleSet = new WeakMap<RuleSet, readonly Warning[]>();

/** The warnings of a checked rule set. */
export function warningsOf(ruleSet: RuleSet): readonly Warning[] {
  return warningsByRuleSet.get(ruleSet) ?? checkRuleSet(ruleSet.file).warnings;
}

/** Keeps the warnings of an earlier check. */
export function keepWarnings(ruleSet: RuleSet, warnings: readonly Warning[]): void {
  warningsByRuleSet.set(ruleSet, warnings);
}

/**
 * Checks a rule set file (parsed JSON) and prepares it for evaluation. Reports all faults at once.
 *
 * @example
 *  const { ruleSet, faults } = checkRuleSet(JSON.parse(text));
 *  for (const { path, message } of faults) console.error(path, message);
 */
export function checkRuleSet(file: unknown, options: CheckOptions = {}): CheckedRuleSet {
  return withSuggestions(createSuggestionBudget(), () => check(file, options));
}

function check(file: unknown, options: CheckOptions): CheckedRuleSet {
  const vocabulary = options.vocabulary ?? homeVocabulary;
  if (!isObject(file)) {
    const hint = Array.isArray(file) ? ' Import a plain list of rules first.' : '';
    return refused('', 'not_a_rule_set', `A rule set is a JSON object; this is ${quoteValue(file)}.${hint}`);
  }
  if (exceedsDepth(file, MAX_DEPTH)) return refused('', 'too_deep', `The file nests deeper than ${MAX_DEPTH} levels.`);
  const stranger = options.fromStranger === true;
  const host: HostNames = {
    facts: stranger ? none : (options.host?.facts ?? none),
    operators: stranger ? none : (options.host?.operators ?? none),
  };
  const faults: Fault[] = [];
  const warnings: Warning[] = [];
  const size = stranger ? sizeFault(file) : undefined;
  if (size) return { faults: [size], warnings: [] };
  const count = stranger ? countFault(file) : undefined;
  if (count) faults.push(count);
  const shape = readShape(file);
  if ('issues' in shape) faults.push(...shapeFaults(shape.issues, file));

  const expansionOf = createExpansionMeasure();
  const areas = readAreas(own(file, 'areas'), vocabulary, stranger ? strangerAreaLimits : operatorAreaLimits, faults);
  const base = { vocabulary, host, allowPath: !stranger, imported: false, areas, expansionOf, faults, warnings };
  const shared = readSharedConditions(own(file, 'conditions'), '/conditions', base);
  const condition = {
    ...base,
    shared,
    sharedNames: Object.keys(isObject(file['conditions']) ? file['conditions'] : {}),
  };
  const eventOutcomes = isObject(own(file, 'outcomes')) ? (file['outcomes'] as Record<string, unknown>) : {};
  const customTerms: CustomTerms = new Map();
  let number = 0;
  function readRules(source: unknown, path: string): Rule[] {
    const rules: Rule[] = [];
    for (const [index, written] of arrayOf(source).entries()) {
      const rule = readRule(written, `${path}/${index}`, { condition, eventOutcomes, number: ++number, customTerms });
      if (rule) rules.push(rule);
    }
    return rules;
  }

  const line = own(file, 'line') ?? 'home';
  if (typeof line === 'string' && line !== vocabulary.line) {
    const message = `${quoteValue(line)} is not the line of this vocabulary; expected "${vocabulary.line}".`;
    faults.push({ path: '/line', code: 'unknown_line', message });
  }
  const rules = readRules(own(file, 'rules'), '/rules');
  const programs: (Program | undefined)[] = [];
  const invalidTiers = new Set<number>();
  for (const [index, source] of arrayOf(own(file, 'programs')).entries()) {
    const path = `/programs/${index}`;
    const tier = isObject(source) ? readTier(source) : {};
    if (isObject(source) && own(source, 'tier') !== undefined && !tier.tier) invalidTiers.add(index);
    programs.push(
      isObject(source)
        ? {
            id: textOf(source['id']),
            policyTypes: readPolicyTypes(source, path, vocabulary, faults) ?? [],
            places: readPlaces(source, path, faults),
            ...tier,
            rules: readRules(own(source, 'rules'), `${path}/rules`),
          }
        : undefined,
    );
  }
  const stops: Rule[] = [];
  const moratoria = arrayOf(own(file, 'moratoria')).map((source, index) => {
    const path = `/moratoria/${index}`;
    if (!isObject(source)) return undefined;
    const moratorium = readMoratorium(source, path, vocabulary, faults);
    if (isConditional(source)) stops.push(readConditional(source, moratorium, path, condition));
    return moratorium;
  });
  const conditional = new Set(stops.map(({ path }) => path));
  const written = programs.filter((program) => program !== undefined);
  const complete = addContradictions({ rules: [...stops, ...rules], programs: written });
  if (complete.isIncomplete) {
    const message = `The offers of this file can contradict each other in more than ${MAX_CONTRADICTIONS} ways; narrow their conditions or bounds.`;
    faults.push({ path: '', code: 'too_many_contradictions', message });
  }
  faults.push(
    ...outcomeFaults(eventOutcomes),
    ...duplicateIds(file),
    ...effectiveFaults(file),
    ...programOverlaps(programs.map((program, index) => (invalidTiers.has(index) ? undefined : program))),
  );
  warnings.push(...moratoriumWarnings(moratoria, written));
  areaUseFaults(areas, [...new Set(written.flatMap(({ places }) => places.states ?? []))], faults, warnings);
  const all = evaluatedRules([...complete.rules, ...complete.programs.flatMap((program) => program.rules)]);
  const tooLarge = expansionFaults(all, expansionOf, stranger ? MAX_EXPANSION_FROM_STRANGER : MAX_EXPANSION);
  faults.push(...tooLarge);
  if (tooLarge.length === 0) faults.push(...workFaults(all, vocabulary, stranger ? strangerLimits : operatorLimits));

  if (faults.length > 0 || 'issues' in shape) return { faults: unique(faults), warnings };
  let sha256: string;
  try {
    sha256 = sha256OfJson(file);
  } catch (error) {
    return refused(
      '',
      'invalid_value',
      `The file contains a value that JSON cannot represent: ${(error as Error).message}.`,
    );
  }
  const { carrier, version, effective, certainty, allow = [] } = shape.head;
  const shapes = [...areas.byName.values()].flatMap((each) => (each.kind === 'shape' ? [each.area] : []));
  const ruleSet: RuleSet = {
    carrierKey: carrier.key,
    carrierName: carrier.name,
    line: vocabulary.line,
    version,
    effectiveFrom: effective.from,
    effectiveUntil: effective.until ?? undefined,
    ...(certainty === undefined ? {} : { certainty }),
    rules: complete.rules,
    programs: complete.programs,
    moratoria: moratoria.filter(
      (each, index) => each !== undefined && !conditional.has(`/moratoria/${index}`),
    ) as Moratorium[],
    ...(shapes.length > 0 ? { areas: shapes } : {}),
    allowed: allow.map(({ code, rule_id: ruleId, why }) => ({ code, ruleId, why })),
    sha256,
    file,
  };
  warningsByRuleSet.set(ruleSet, warnings);
  return { ruleSet, faults: [], warnings };
}

type Head = Pick<z.infer<typeof ruleSetSchema>, 'carrier' | 'version' | 'effective' | 'certainty' | 'allow'>;
const fits = shapeTestOf(ruleSetSchema);

/** The slow schema runs only if the fast test fails. */
function readShape(file: object): { readonly head: Head } | { readonly issues: readonly z.core.$ZodIssue[] } {
  if (fits(file)) return { head: file as Head };
  const shape = ruleSetSchema.safeParse(file);
  return shape.success ? { head: shape.data } : { issues: shape.error.issues };
}

function refused(path: string, code: string, message: string): CheckedRuleSet {
  return { faults: [{ path, code, message }], warnings: [] };
}

function readPolicyTypes(
  source: Record<string, unknown>,
  path: string,
  vocabulary: Vocabulary,
  faults: Fault[],
): string[] | undefined {
  if (!Object.hasOwn(source, 'policy_types')) return undefined;
  const types: string[] = [];
  arrayOf(source['policy_types']).forEach((text, index) => {
    if (typeof text !== 'string') return;
    if (vocabulary.policyTypes.includes(text)) types.push(text);
    else faults.push(policyTypeFault(text, `${path}/policy_types/${index}`, vocabulary));
  });
  return types;
}

/** The schema reports invalid tiers. */
function readTier(source: Record<string, unknown>): { readonly tier?: Tier } {
  const tier = own(source, 'tier');
  if (!isObject(tier)) return {};
  const { of, rank, name } = tier;
  if (typeof of !== 'string' || of === '' || !Number.isInteger(rank) || (rank as number) < 1) return {};
  return { tier: { of, rank: rank as number, ...(typeof name === 'string' ? { name } : {}) } };
}

function readMoratorium(
  source: Record<string, unknown>,
  path: string,
  vocabulary: Vocabulary,
  faults: Fault[],
): Moratorium {
  const isPlain = !isConditional(source);
  if (isPlain && own(source, 'from') === undefined) {
    const message = 'The key "from" is missing; only a moratorium with when or unless may leave it out.';
    faults.push({ path, code: 'missing_key', message });
  }
  const fromMs = own(source, 'from') === undefined ? Number.NEGATIVE_INFINITY : Date.parse(textOf(source['from']));
  const until = own(source, 'until');
  const untilMs = typeof until === 'string' ? Date.parse(until) : Number.POSITIVE_INFINITY;
  if (untilMs <= fromMs) {
    const message = `until (${quoteValue(until)}) must come after from (${quoteValue(source['from'])}).`;
    faults.push({ path: `${path}/until`, code: 'empty_window', message });
  }
  const { message } = source;
  if (isPlain && typeof message === 'string')
    faults.push(...messageFaults(message, `${path}/message`, vocabulary, none));
  return {
    id: textOf(source['id']),
    fromMs,
    untilMs,
    places: readPlaces(source, path, faults),
    policyTypes: readPolicyTypes(source, path, vocabulary, faults),
    message: textOf(message),
  };
}

function outcomeFaults(eventOutcomes: Readonly<Record<string, unknown>>): Fault[] {
  const faults: Fault[] = [];
  for (const [type, meaning] of Object.entries(eventOutcomes)) {
    const otherwise = isObject(meaning);
    const outcome = otherwise ? own(meaning, 'otherwise') : meaning;
    if (typeof outcome !== 'string' || isOutcome(outcome)) continue;
    const path = `/outcomes${pointer(type)}${otherwise ? '/otherwise' : ''}`;
    const message = `${quoteValue(outcome)} is not an outcome; use one of: ${outcomes.join(', ')}.${didYouMean(outcome, outcomes)}`;
    faults.push({ path, code: 'unknown_outcome', message });
  }
  return faults;
}

function effectiveFaults(file: Record<string, unknown>): Fault[] {
  const effective = own(file, 'effective');
  if (!isObject(effective)) return [];
  const { from, until } = effective;
  if (typeof from !== 'string' || typeof until !== 'string' || until > from) return [];
  const message = `until (${quoteValue(until)}) must come after from (${quoteValue(from)}).`;
  return [{ path: '/effective/until', code: 'empty_window', message }];
}

/** Counties without `states` narrow their states, but every other state stays included. */
function widerThanCounties(moratorium: Moratorium, path: string): Warning[] {
  if (moratorium.places.states !== undefined || moratorium.places.counties.size === 0) return [];
  const states = [...moratorium.places.counties.keys()].join(', ');
  const message = `The moratorium "${moratorium.id}" narrows ${states} to counties and covers every other state entirely; add "states" to narrow it further.`;
  return [{ path: `${path}/counties`, code: 'counties_without_states', message }];
}

/** Warns about parts of a moratorium outside all programs. */
function moratoriumWarnings(moratoria: readonly (Moratorium | undefined)[], programs: readonly Program[]): Warning[] {
  const warnings: Warning[] = [];
  moratoria.forEach((moratorium, index) => {
    if (!moratorium) return;
    warnings.push(...widerThanCounties(moratorium, `/moratoria/${index}`));
    for (const state of moratorium.places.states ?? []) {
      if (programs.some((program) => program.places.states?.includes(state))) continue;
      const message = `The moratorium "${moratorium.id}" names ${state}, where no program is offered.`;
      warnings.push({ path: `/moratoria/${index}/states`, code: 'not_written', message });
    }
    for (const policyType of moratorium.policyTypes ?? []) {
      if (programs.some((program) => program.policyTypes.includes(policyType))) continue;
      const message = `The moratorium "${moratorium.id}" names ${policyType}, which no program offers.`;
      warnings.push({ path: `/moratoria/${index}/policy_types`, code: 'not_written', message });
    }
  });
  return warnings;
}

/** Adds the demands of offers as rules, so that limits count them. */
function evaluatedRules(rules: readonly Rule[]): Rule[] {
  return rules.flatMap((rule) => [
    rule,
    ...(rule.demands ?? []).flatMap(({ condition }) => (condition === rule.condition ? [] : [{ ...rule, condition }])),
  ]);
}

/** Finds rules that are too large with their shared conditions expanded, separately or together. */
function expansionFaults(rules: readonly Rule[], expansionOf: (tree: Tree) => Expansion, maxNodes: number): Fault[] {
  const faults: Fault[] = [];
  let sum = 0;
  for (const rule of rules) {
    const { size } = expansionOf(rule.condition);
    sum += size;
    if (size <= maxNodes) continue;
    const message = `The rule ${quoteValue(rule.id)} has ${size} nodes with its shared conditions expanded; at most ${maxNodes} are accepted.`;
    faults.push({ path: rule.path, code: 'expansion_too_large', message });
  }
  if (faults.length === 0 && sum > maxNodes) {
    const message = `The rules have ${sum} nodes with their shared conditions expanded; at most ${maxNodes} are accepted.`;
    faults.push({ path: '', code: 'expansion_too_large', message });
  }
  return faults;
}

function unique(faults: readonly Fault[]): Fault[] {
  const keys = new Set<string>();
  return faults.filter((fault) => {
    const key = pointer(fault.path, fault.code, fault.message);
    if (keys.has(key)) return false;
    keys.add(key);
    return true;
  });
}

/** Visits every test of every rule, including those of programs. */
export function forEachRuleLeaf(ruleSet: RuleSet, visit: (leaf: Leaf) => void): void {
  const visited = new Set<Tree>();
  for (const rule of [...ruleSet.rules, ...ruleSet.programs.flatMap((program) => program.rules)]) {
    forEachLeafOfRule(rule, visit, visited);
  }
}

/** The schema reports other values. (An object can refuse conversion.) */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
