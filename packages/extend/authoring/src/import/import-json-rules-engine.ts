import { checkRuleSet, homeVocabulary, type Vocabulary } from '@leeward/engine';
import { isOutcome } from '@leeward/engine/compiled';
import { isObject, own, pointer, quoteValue, valueAtPointer } from '@leeward/terms';
import type { Finding } from '../finding/finding.ts';
import { headOf, type StartOptions } from './starting-rule-set.ts';
import { findHostParts, similarFact, translateCondition, translateRule } from './theirs-to-ours.ts';

/** A rule set made from another format, and the rejected rules. */
export interface Imported {
  readonly ruleSet: Record<string, unknown>;
  /** Paths lead into the imported file. */
  readonly findings: readonly Finding[];
  /** Number of rules in the imported file. */
  readonly read: number;
  /** Number of rules in the rule set. */
  readonly accepted: number;
}

/** The carrier, line and places of an imported rule set, and the translation of its rules. */
export interface ImportOptions extends StartOptions {
  readonly policyTypes: readonly string[];
  /**
   * Outcomes by event type. For accepting rules, `otherwise` is the outcome of all other homes. @default the usual event types, such as
   * `deny`
   */
  readonly outcomes?: Readonly<Record<string, string | { readonly otherwise: string }>>;
  /**
   * Our names of facts, by their names in the json-rules-engine file. A value in a fact that is an object has its path:
   * `account$.balance`. @default {}
   */
  readonly facts?: Readonly<Record<string, string>>;
}

export function lineOf({ vocabulary = homeVocabulary }: ImportOptions): { readonly vocabulary: Vocabulary } {
  return { vocabulary };
}

const usualOutcomes: Readonly<Record<string, string | { readonly otherwise: string }>> = {
  deny: 'decline',
  denied: 'decline',
  reject: 'decline',
  rejected: 'decline',
  ineligible: 'decline',
  decline: 'decline',
  declined: 'decline',
  referral: 'refer',
  review: 'refer',
  accept: { otherwise: 'decline' },
  accepted: { otherwise: 'decline' },
  eligible: { otherwise: 'decline' },
  approve: { otherwise: 'decline' },
  approved: { otherwise: 'decline' },
};

export function ruleSetAround(options: ImportOptions, rules: readonly unknown[]): Record<string, unknown> {
  return {
    ...headOf(options),
    rules,
    programs: [{ id: 'imported', policy_types: options.policyTypes, states: options.states }],
  };
}

/**
 * Creates a rule set from json-rules-engine rules: a list, or `{ "rules" | "decisions": [...], "conditions": { NAME: condition } }`. Only
 * names of facts (`facts`) and spellings of constants change. Rules with unknown facts, parameters of facts or a host's operators are
 * left out and reported.
 *
 * @example
 * const { ruleSet, findings } = importJsonRulesEngine(JSON.parse(text), { ...options, facts: { roofAge: 'roof_age' } });
 */
export function importJsonRulesEngine(file: unknown, options: ImportOptions): Imported {
  const [source, base] = listOf(file);
  if (!source) {
    const message = `Rules of json-rules-engine are a JSON list of { "conditions", "event" }; the file contains ${quoteValue(file)}.`;
    return {
      ruleSet: ruleSetAround(options, []),
      findings: [{ code: 'not_rules', path: '', message, severity: 'fault' }],
      read: 0,
      accepted: 0,
    };
  }
  const findings: Finding[] = [];
  const rules: unknown[] = [];
  const ids = new Set<string>();
  const outcomes: Record<string, unknown> = Object.create(null);
  const translation = { ...lineOf(options), facts: options.facts ?? {}, states: options.states };
  const shared = sharedConditionsOf(file);
  const usedConditions: Record<string, unknown> = Object.create(null);
  const reported = new Set<string>();
  source.forEach((rule: unknown, index) => {
    const path = `${base}/${index}`;
    const event = isObject(rule) ? own(rule, 'event') : undefined;
    const type = isObject(event) ? own(event, 'type') : undefined;
    const meaning = typeof type === 'string' ? meaningOf(type, options) : undefined;
    const ours = translateRule(rule, translation);
    const namedRule = isObject(ours) ? nameOnce(ours, index, ids, path, findings) : ours;
    const conditions = isObject(rule) ? conditionsUsed(own(rule, 'conditions'), shared) : [];
    const trial = ruleSetAround(options, [namedRule]);
    if (meaning !== undefined) trial['outcomes'] = { [type as string]: meaning };
    if (conditions.length > 0) {
      trial['conditions'] = Object.fromEntries(
        conditions.map((name) => [name, translateCondition(shared[name], translation)]),
      );
    }
    const { faults, warnings } = checkRuleSet(trial, lineOf(options));
    const relocate = (at: string) => at.replace(/^\/rules\/0/, path);
    const hostParts = [
      ...(isObject(rule) ? findHostParts(own(rule, 'conditions'), `${path}/conditions`, translation.facts) : []),
      ...conditions.flatMap((name) => findHostParts(shared[name], `/conditions${pointer(name)}`, translation.facts)),
    ];
    const parents = new Set(hostParts.map(({ path: at }) => parentOf(at)));
    const all: Finding[] = [
      ...hostParts,
      ...faults.flatMap((fault): Finding[] => {
        const at = relocate(fault.path);
        // The finding about the path or the parameters has the way out.
        if (fault.code === 'unknown_fact' && parents.has(parentOf(at))) return [];
        const message = `Left out. ${fault.message}${hintOf(fault, trial, type, options)}`;
        return [{ ...fault, path: at, message, severity: 'fault' }];
      }),
    ];
    // A shared condition is reported once, for the first rule.
    findings.push(
      ...all.filter(({ code, path: at }) => !at.startsWith('/conditions/') || !reported.has(`${code} ${at}`)),
    );
    for (const { code, path: at } of all) reported.add(`${code} ${at}`);
    if (all.length > 0) {
      if (!all.some(({ path: at }) => at.startsWith(path))) {
        const message = 'Left out. A shared condition of this rule has a fault; mend it there.';
        findings.push({ code: 'condition_left_out', path: `${path}/conditions`, message, severity: 'fault' });
      }
      return;
    }
    for (const warning of warnings) findings.push({ ...warning, path: relocate(warning.path), severity: 'warning' });
    findings.push(...unusedParams(event, `${path}/event/params`));
    rules.push(namedRule);
    Object.assign(usedConditions, trial['conditions']);
    if (meaning !== undefined && !isOutcome(type as string)) outcomes[type as string] = meaning;
  });
  const meanings = Object.entries(outcomes);
  const ruleSet = {
    ...ruleSetAround(options, rules),
    ...(Object.keys(usedConditions).length > 0 ? { conditions: { ...usedConditions } } : {}),
    ...(meanings.length > 0 ? { outcomes: Object.fromEntries(meanings) } : {}),
  };
  return { ruleSet, findings, read: source.length, accepted: rules.length };
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

/** Parameters of an event that have no effect. */
function unusedParams(event: unknown, path: string): Finding[] {
  const params = isObject(event) ? own(event, 'params') : undefined;
  const names = isObject(params) ? Object.keys(params).filter((name) => !paramNames.includes(name)) : [];
  if (names.length === 0) return [];
  const message = `${names.map(quoteValue).join(', ')} of the event has no effect here; only ${paramNames.join(', ')} count.`;
  return [{ code: 'unused_params', path, message, severity: 'note' }];
}

const paramNames = ['code', 'message', 'terms'];

function sharedConditionsOf(file: unknown): Readonly<Record<string, unknown>> {
  if (!isObject(file) || !listKeys.some((key) => Array.isArray(own(file, key)))) return {};
  const conditions = own(file, 'conditions');
  return isObject(conditions) ? conditions : {};
}

/** Names of the shared conditions that a condition uses, itself or through others. */
function conditionsUsed(condition: unknown, shared: Readonly<Record<string, unknown>>): readonly string[] {
  const names = new Set<string>();
  const open = [condition];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    const name = own(node as Record<string, unknown>, 'condition');
    if (typeof name === 'string' && !names.has(name) && Object.hasOwn(shared, name)) {
      names.add(name);
      open.push(shared[name]);
    }
    open.push(...Object.values(node).filter((child) => child !== undefined));
  }
  return [...names];
}

/** The way to get a rule into the rule set. */
function hintOf(fault: Pick<Finding, 'code' | 'path'>, trial: object, type: unknown, options: ImportOptions): string {
  if (fault.code === 'unmapped_event') return ` Here: --outcome ${String(type)}=decline.`;
  if (fault.code === 'missing_key') return ' Add it to the rule.';
  if (fault.code === 'unknown_condition')
    return ' Add it to the file: { "conditions": { NAME: condition }, "rules": [ … ] }.';
  return factHint(fault, trial, lineOf(options).vocabulary);
}

/** The option that maps an unknown fact. */
function factHint({ code, path }: Pick<Finding, 'code' | 'path'>, trial: object, vocabulary: Vocabulary): string {
  if (code !== 'unknown_fact') return '';
  const fact = valueAtPointer(trial, path);
  return ` Here: --fact ${String(fact)}=${similarFact(fact, vocabulary) ?? 'FACT'}.`;
}

const listKeys = ['rules', 'decisions'];

function listOf(file: unknown): readonly [readonly unknown[] | undefined, string] {
  if (Array.isArray(file)) return [file, ''];
  if (!isObject(file)) return [undefined, ''];
  for (const key of listKeys) {
    const list = own(file, key);
    if (Array.isArray(list)) return [list, pointer(key)];
  }
  return Object.hasOwn(file, 'conditions') ? [[file], ''] : [undefined, ''];
}

/** The meaning of an event or output: as given, else the usual one. Undefined for an outcome, and for other words. */
export function meaningOf(
  type: string,
  { outcomes }: ImportOptions,
): string | { readonly otherwise: string } | undefined {
  if (outcomes && Object.hasOwn(outcomes, type)) return outcomes[type];
  if (isOutcome(type)) return undefined;
  const folded = type.toLowerCase();
  return Object.hasOwn(usualOutcomes, folded) ? usualOutcomes[folded] : undefined;
}

/** Makes the name of a rule a unique id. */
function nameOnce(
  rule: Readonly<Record<string, unknown>>,
  index: number,
  ids: Set<string>,
  path: string,
  findings: Finding[],
): unknown {
  const name = own(rule, 'name');
  const isNamed = (typeof name === 'string' && name !== '') || typeof name === 'number';
  const base = isNamed ? String(name) : `rule-${index + 1}`;
  let id = base;
  for (let number = 2; ids.has(id); number++) id = `${base}-${number}`;
  ids.add(id);
  if (isNamed && id === base) return rule;
  if (isNamed) {
    const message = `Another rule has the name ${quoteValue(name)} too; this one becomes "${id}".`;
    findings.push({ code: 'renamed', path: `${path}/name`, message, severity: 'note' });
  }
  return { ...rule, name: id };
}
