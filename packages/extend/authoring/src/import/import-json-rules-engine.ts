import { checkRuleSet, homeVocabulary, type Vocabulary } from '@leeward/engine';
import { isOutcome } from '@leeward/engine/compiled';
import { isObject, own, pointer, quoteValue, valueAtPointer } from '@leeward/terms';
import type { Finding } from '../finding/finding.ts';
import { headOf, type StartOptions } from './starting-rule-set.ts';
import { similarFact, translateRule } from './theirs-to-ours.ts';

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
  /** Our names of facts, by their names in the json-rules-engine file. @default {} */
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
};

export function ruleSetAround(options: ImportOptions, rules: readonly unknown[]): Record<string, unknown> {
  return {
    ...headOf(options),
    rules,
    programs: [{ id: 'imported', policy_types: options.policyTypes, states: options.states }],
  };
}

/**
 * Creates a rule set from json-rules-engine rules: a list, or `{ "rules" | "decisions": [...] }`. Only names of facts (`facts`) and
 * spellings of constants change. Rules with unknown facts or a host's operators are left out and reported.
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
  source.forEach((rule: unknown, index) => {
    const path = `${base}/${index}`;
    const event = isObject(rule) ? own(rule, 'event') : undefined;
    const type = isObject(event) ? own(event, 'type') : undefined;
    const meaning = typeof type === 'string' ? meaningOf(type, options) : undefined;
    const ours = translateRule(rule, { ...lineOf(options), facts: options.facts ?? {}, states: options.states });
    const namedRule = isObject(ours) ? nameOnce(ours, index, ids, path, findings) : ours;
    const trial = ruleSetAround(options, [namedRule]);
    if (meaning !== undefined) trial['outcomes'] = { [type as string]: meaning };
    const { faults, warnings } = checkRuleSet(trial, lineOf(options));
    const relocate = (at: string) => at.replace(/^\/rules\/0/, path);
    for (const fault of faults) {
      const hint =
        fault.code === 'unmapped_event'
          ? ` Here: --outcome ${String(type)}=decline.`
          : factHint(fault, trial, lineOf(options).vocabulary);
      findings.push({
        ...fault,
        path: relocate(fault.path),
        message: `Left out. ${fault.message}${hint}`,
        severity: 'fault',
      });
    }
    if (faults.length > 0) return;
    for (const warning of warnings) findings.push({ ...warning, path: relocate(warning.path), severity: 'warning' });
    rules.push(namedRule);
    if (meaning !== undefined && !isOutcome(type as string)) outcomes[type as string] = meaning;
  });
  const ruleSet = ruleSetAround(options, rules);
  const meanings = Object.entries(outcomes);
  return {
    ruleSet: meanings.length > 0 ? { ...ruleSet, outcomes: Object.fromEntries(meanings) } : ruleSet,
    findings,
    read: source.length,
    accepted: rules.length,
  };
}

/** The option that maps an unknown fact. */
function factHint({ code, path }: Pick<Finding, 'code' | 'path'>, trial: object, vocabulary: Vocabulary): string {
  if (code !== 'unknown_fact') return '';
  const fact = valueAtPointer(trial, path);
  return ` Here: --fact ${String(fact)}=${similarFact(fact, vocabulary) ?? 'FACT'}.`;
}

function listOf(file: unknown): readonly [readonly unknown[] | undefined, string] {
  if (Array.isArray(file)) return [file, ''];
  if (!isObject(file)) return [undefined, ''];
  for (const key of ['rules', 'decisions']) {
    const list = own(file, key);
    if (Array.isArray(list)) return [list, pointer(key)];
  }
  return Object.hasOwn(file, 'conditions') ? [[file], ''] : [undefined, ''];
}

function meaningOf(type: string, { outcomes }: ImportOptions): string | { readonly otherwise: string } | undefined {
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
