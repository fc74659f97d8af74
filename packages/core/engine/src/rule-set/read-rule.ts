import { didYouMean, type Fault, isObject, own, quoteValue } from '@leeward/terms';
import type { Tree } from '../condition/condition.ts';
import { factIndex } from '../vocabulary/fact-index.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { readRoot } from './check-condition.ts';
import type { ConditionContext } from './condition-context.ts';
import { meantOutcome } from './meant-words.ts';
import type { Rule } from './rule-set.ts';
import { type Outcome, outcomes } from './schema.ts';

export interface RuleContext {
  readonly condition: ConditionContext;
  /** The file's own map from event types to outcomes. */
  readonly eventOutcomes: Readonly<Record<string, unknown>>;
  /** Place of the rule in the whole file, from 1: names rules that have no name. */
  readonly number: number;
}

/** Reads one entry of a list of rules, native or json-rules-engine's. Faults are added to the context's. */
export function readRule(source: unknown, path: string, context: RuleContext): Rule | undefined {
  if (!isObject(source)) return undefined;
  return isImported(source) ? readImported(source, path, context) : readNative(source, path, context);
}

/** Whether a rule is written as json-rules-engine has it. */
export function isImported(source: Record<string, unknown>): boolean {
  return Object.hasOwn(source, 'conditions') || Object.hasOwn(source, 'event');
}

/** The id of an imported rule: its name, else its place in the file. */
export function importedId(source: Record<string, unknown>, number: number): string {
  const name = own(source, 'name');
  return (typeof name === 'string' && name !== '') || typeof name === 'number' ? String(name) : `rule-${number}`;
}

function readNative(source: Record<string, unknown>, path: string, context: RuleContext): Rule | undefined {
  const { faults, vocabulary, host } = context.condition;
  for (const key of ['id', 'outcome', 'code', 'message']) {
    if (!Object.hasOwn(source, key)) {
      faults.push({ path, code: 'missing_key', message: `This rule has no ${key}.` });
    }
  }
  const { id, outcome, code, message } = source;
  if (typeof outcome === 'string' && !isOutcome(outcome)) {
    const text = `${quoteValue(outcome)} is no outcome; there are: ${outcomes.join(', ')}.${meantOutcome(outcome) ?? didYouMean(outcome, outcomes)}`;
    faults.push({ path: `${path}/outcome`, code: 'unknown_outcome', message: text });
  }
  if (typeof code === 'string' && !isCode(code, vocabulary)) {
    const text = `${quoteValue(code)} is not a registered code; use one, or x_… of your own.${didYouMean(code, vocabulary.codes)}`;
    faults.push({ path: `${path}/code`, code: 'unknown_code', message: text });
  }
  if (typeof message === 'string') faults.push(...messageFaults(message, `${path}/message`, vocabulary, host.facts));
  const when = Object.hasOwn(source, 'when');
  const unless = Object.hasOwn(source, 'unless');
  if (when && unless) {
    faults.push({ path, code: 'when_and_unless', message: 'Give when or unless, not both.' });
  } else if (!when && !unless) {
    faults.push({
      path,
      code: 'missing_when',
      message: 'This rule says nothing of when it holds; give when or unless.',
    });
  }
  const whenTree = when ? readRoot(source['when'], `${path}/when`, context.condition) : undefined;
  const unlessTree = unless ? readRoot(source['unless'], `${path}/unless`, context.condition) : undefined;
  const condition: Tree | undefined = whenTree ?? (unlessTree && { kind: 'not', of: unlessTree });
  if (!condition || typeof id !== 'string' || typeof outcome !== 'string' || !isOutcome(outcome)) return undefined;
  return {
    id,
    outcome,
    code: typeof code === 'string' ? code : '',
    message: typeof message === 'string' ? message : '',
    condition,
    priority: priorityOf(source),
    path,
  };
}

function readImported(source: Record<string, unknown>, path: string, context: RuleContext): Rule | undefined {
  const { faults, warnings, vocabulary, host } = context.condition;
  for (const key of ['conditions', 'event']) {
    if (!Object.hasOwn(source, key)) {
      faults.push({
        path,
        code: 'missing_key',
        message: `A json-rules-engine rule has conditions and event; this one has no ${key}.`,
      });
    }
  }
  const root = readRoot(own(source, 'conditions'), `${path}/conditions`, { ...context.condition, imported: true });
  const event = own(source, 'event');
  const type = isObject(event) ? event['type'] : undefined;
  const meaning = typeof type === 'string' ? meaningOf(type, context.eventOutcomes) : undefined;
  if (typeof type === 'string' && !meaning && own(context.eventOutcomes, type) === undefined) {
    const message = `The event ${quoteValue(type)} is no outcome; say what it means in "outcomes", for example { ${quoteValue(type)}: "decline" }.`;
    faults.push({ path: `${path}/event/type`, code: 'unmapped_event', message });
  }
  if (!meaning) return undefined;
  const params = isObject(event) && isObject(event['params']) ? event['params'] : {};
  const id = importedId(source, context.number);
  const given = own(params, 'code');
  const code = typeof given === 'string' && isCode(given, vocabulary) ? given : 'x_imported';
  const message = own(params, 'message');
  if (typeof message === 'string')
    warnings.push(...messageFaults(message, `${path}/event/params/message`, vocabulary, host.facts));
  return {
    id,
    outcome: meaning.outcome,
    code,
    message: typeof message === 'string' ? message : id,
    condition: meaning.otherwise ? { kind: 'not', of: root } : root,
    priority: priorityOf(source),
    path,
  };
}

/** What a type of event means: an outcome of its own name, or what the file says of it. */
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

/** Facts quoted in a message must exist. */
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
    const text = `The message quotes {${name}}, which is no fact of the line ${vocabulary.line}.${didYouMean(name, index.names)}`;
    faults.push({ path, code: 'unknown_message_fact', message: text });
  }
  return faults;
}
