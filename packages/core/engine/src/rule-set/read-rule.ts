import { didYouMean, type Fault, isObject, own, quoteValue } from '@leeward/terms';
import { factsOf, type Tree } from '../condition/condition.ts';
import { eventList } from '../vocabulary/event-list.ts';
import { factIndex } from '../vocabulary/fact-index.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { readRoot } from './check-condition.ts';
import type { ConditionContext } from './condition-context.ts';
import { meantOutcome } from './meant-words.ts';
import { type CustomTerms, readTerms } from './read-terms.ts';
import type { Rule } from './rule-set.ts';
import { type Outcome, outcomes } from './schema.ts';

export interface RuleContext {
  readonly condition: ConditionContext;
  readonly eventOutcomes: Readonly<Record<string, unknown>>;
  /** From 1; the id of unnamed rules. */
  readonly number: number;
  readonly customTerms: CustomTerms;
}

/** Native or in the syntax of json-rules-engine. */
export function readRule(source: unknown, path: string, context: RuleContext): Rule | undefined {
  if (!isObject(source)) return undefined;
  return isImported(source) ? readImported(source, path, context) : readNative(source, path, context);
}

/** True for a rule in the syntax of json-rules-engine. */
export function isImported(source: Record<string, unknown>): boolean {
  return Object.hasOwn(source, 'conditions') || Object.hasOwn(source, 'event');
}

/** The name of an imported rule, else its number in the file. */
export function importedId(source: Record<string, unknown>, number: number): string {
  const name = own(source, 'name');
  return (typeof name === 'string' && name !== '') || typeof name === 'number' ? String(name) : `rule-${number}`;
}

function readNative(source: Record<string, unknown>, path: string, context: RuleContext): Rule | undefined {
  const { faults, vocabulary, host } = context.condition;
  for (const key of ['id', 'outcome', 'code', 'message']) {
    if (!Object.hasOwn(source, key)) {
      faults.push({ path, code: 'missing_key', message: `This rule lacks ${key}.` });
    }
  }
  const { id, outcome, code, message } = source;
  if (typeof outcome === 'string' && !isOutcome(outcome)) {
    const text = `${quoteValue(outcome)} is not an outcome; use one of: ${outcomes.join(', ')}.${meantOutcome(outcome) ?? didYouMean(outcome, outcomes)}`;
    faults.push({ path: `${path}/outcome`, code: 'unknown_outcome', message: text });
  }
  if (typeof code === 'string' && !isCode(code, vocabulary)) {
    const text = `${quoteValue(code)} is not a registered code; use one, or a custom code x_….${didYouMean(code, vocabulary.codes)}`;
    faults.push({ path: `${path}/code`, code: 'unknown_code', message: text });
  }
  const when = Object.hasOwn(source, 'when');
  const unless = Object.hasOwn(source, 'unless');
  if (when && unless) {
    faults.push({ path, code: 'when_and_unless', message: 'Give when or unless, not both.' });
  } else if (!when && !unless) {
    faults.push({
      path,
      code: 'missing_when',
      message: 'This rule lacks a condition; give when or unless.',
    });
  }
  const whenTree = when ? readRoot(source['when'], `${path}/when`, context.condition) : undefined;
  const unlessTree = unless ? readRoot(source['unless'], `${path}/unless`, context.condition) : undefined;
  const condition: Tree | undefined = whenTree ?? (unlessTree && { kind: 'not', of: unlessTree });
  if (typeof message === 'string') {
    const quoted = condition && testsEvents(condition) ? new Set([...host.facts, EVENT_NAME]) : host.facts;
    faults.push(...messageFaults(message, `${path}/message`, vocabulary, quoted));
  }
  const demands = readDemands(outcome, source, path, condition, context);
  if (!condition || typeof id !== 'string' || typeof outcome !== 'string' || !isOutcome(outcome)) return undefined;
  return {
    id,
    outcome,
    code: typeof code === 'string' ? code : '',
    message: typeof message === 'string' ? message : '',
    condition,
    priority: priorityOf(source),
    path,
    ...demands,
  };
}

/** The name in braces that quotes events. */
export const EVENT_NAME = 'event';

/** True if a condition tests events. */
export function testsEvents(condition: Tree): boolean {
  return factsOf(condition).includes(eventList.name);
}

function readDemands(
  outcome: unknown,
  source: Readonly<Record<string, unknown>>,
  path: string,
  condition: Tree | undefined,
  { condition: context, customTerms }: RuleContext,
): Pick<Rule, 'terms' | 'demands'> {
  const { faults } = context;
  const hasTerms = own(source, 'terms') !== undefined;
  if (outcome === 'offer') {
    const { terms } = source;
    if (isObject(terms))
      return { terms, demands: readTerms(terms, condition ?? always, `${path}/terms`, context, customTerms) };
    if (hasTerms) return {};
    const message = 'An offer names its terms, for example { "named_storm_deductible_percent": { "min": 5 } }.';
    faults.push({ path, code: 'missing_terms', message });
  } else if (hasTerms) {
    const message = `Only a rule with the outcome "offer" has terms; this one has ${quoteValue(outcome)}.`;
    faults.push({ path: `${path}/terms`, code: 'terms_without_offer', message });
  }
  return {};
}

const always: Tree = { kind: 'all', of: [] };

function readImported(source: Record<string, unknown>, path: string, context: RuleContext): Rule | undefined {
  const { faults, warnings, vocabulary, host } = context.condition;
  for (const key of ['conditions', 'event']) {
    if (!Object.hasOwn(source, key)) {
      faults.push({
        path,
        code: 'missing_key',
        message: `A json-rules-engine rule has conditions and event; this one lacks ${key}.`,
      });
    }
  }
  const root = readRoot(own(source, 'conditions'), `${path}/conditions`, { ...context.condition, imported: true });
  const event = own(source, 'event');
  const type = isObject(event) ? event['type'] : undefined;
  const meaning = typeof type === 'string' ? meaningOf(type, context.eventOutcomes) : undefined;
  if (typeof type === 'string' && !meaning && own(context.eventOutcomes, type) === undefined) {
    const message = `The event ${quoteValue(type)} is not an outcome; map it in "outcomes", for example { ${quoteValue(type)}: "decline" }.`;
    faults.push({ path: `${path}/event/type`, code: 'unmapped_event', message });
  }
  if (!meaning) return undefined;
  const params = isObject(event) && isObject(event['params']) ? event['params'] : {};
  const id = importedId(source, context.number);
  const paramCode = own(params, 'code');
  const code = typeof paramCode === 'string' && isCode(paramCode, vocabulary) ? paramCode : 'x_imported';
  const message = own(params, 'message');
  if (typeof message === 'string')
    warnings.push(...messageFaults(message, `${path}/event/params/message`, vocabulary, host.facts));
  const condition: Tree = meaning.otherwise ? { kind: 'not', of: root } : root;
  return {
    id,
    outcome: meaning.outcome,
    code,
    message: typeof message === 'string' ? message : id,
    condition,
    priority: priorityOf(source),
    path,
    ...readDemands(meaning.outcome, params, `${path}/event/params`, condition, context),
  };
}

/** The outcome as mapped by the file, else the outcome of the same name. */
function meaningOf(
  type: string,
  map: Readonly<Record<string, unknown>>,
): { outcome: Outcome; otherwise: boolean } | undefined {
  const mapped = own(map, type);
  if (typeof mapped === 'string') return isOutcome(mapped) ? { outcome: mapped, otherwise: false } : undefined;
  if (isObject(mapped)) {
    const otherwise = own(mapped, 'otherwise');
    return typeof otherwise === 'string' && isOutcome(otherwise) ? { outcome: otherwise, otherwise: true } : undefined;
  }
  return isOutcome(type) ? { outcome: type, otherwise: false } : undefined;
}

function priorityOf(source: Record<string, unknown>): number {
  const priority = own(source, 'priority');
  return typeof priority === 'number' && Number.isFinite(priority) ? priority : 1;
}

/** True for the name of an outcome. */
export function isOutcome(text: string): text is Outcome {
  return (outcomes as readonly string[]).includes(text);
}

function isCode(text: string, vocabulary: Vocabulary): boolean {
  return vocabulary.codes.includes(text) || /^x_[a-z0-9_]+$/.test(text);
}

export function messageFaults(
  message: string,
  path: string,
  vocabulary: Vocabulary,
  hostFacts: ReadonlySet<string>,
): Fault[] {
  const index = factIndex(vocabulary);
  const faults: Fault[] = [];
  for (const [, name] of message.matchAll(/\{([^{}]*)\}/g)) {
    if (name === undefined || index.names.includes(name) || hostFacts.has(name)) continue;
    const text = `The message quotes {${name}}, which is not a fact of the line ${vocabulary.line}.${didYouMean(name, index.names)}`;
    faults.push({ path, code: 'unknown_message_fact', message: text });
  }
  return faults;
}
