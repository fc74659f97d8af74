import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importJsonRulesEngine } from '@leeward/authoring';
import { defineLine, type Vocabulary } from '@leeward/engine';
import { choiceField, decimalField, type Field, flagField, setField } from '@leeward/engine/vocabulary';
import { Engine, type RuleProperties } from 'json-rules-engine';
import { describe, it } from 'vitest';
import { createRandom, pick } from '../test/support/random.ts';
import { type Case, holdTo } from './hold-to.ts';
import type { RecordedRun } from './recorded-run.ts';
import { evaluatorOf } from './rule-answers.ts';

const recorded = join(import.meta.dirname, 'pinned/json-rules-engine/recorded.json');
const description = 'For tests.';
const change = { kind: 'never' } as const;

/** A fact of a run that can be a field of a line. */
interface FieldOfRun {
  /** With its path, if it is a value in an object: `account$.balance`. */
  readonly theirs: string;
  readonly ours: string;
  readonly fields: readonly Field[];
  /** Values on both sides of every limit. */
  readonly values: readonly unknown[];
}

function fieldsOf({ rules, conditions, facts }: RecordedRun): readonly FieldOfRun[] {
  const constants = new Map<string, unknown[]>(Object.entries(facts).map(([name, value]) => [name, [value]]));
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { fact, value, path = '' } = node as { fact?: string; value?: unknown; path?: string };
    const isConstant = typeof value !== 'object' || Array.isArray(value);
    if (fact !== undefined && isConstant) {
      const name = `${fact}${path}`;
      const isSet = Array.isArray(facts[name]);
      const all = constants.get(name) ?? [];
      constants.set(name, [...all, ...[value].flat().map((each) => (isSet ? [each] : each))]);
    }
    Object.values(node).forEach(visit);
  };
  visit([rules, conditions]);
  return [...constants].flatMap(([theirs, all]) => {
    const ours = `f_${theirs.toLowerCase().replace(/[^a-z0-9]+/g, '_')}`;
    const field = fieldOf(ours, all);
    return field ? [{ theirs, ours, ...field }] : [];
  });
}

function fieldOf(name: string, all: readonly unknown[]): Pick<FieldOfRun, 'fields' | 'values'> | undefined {
  const options = { label: name, change, description };
  const words = (of: readonly unknown[]) => [...new Set([...(of as string[]), 'other'])];
  if (all.every((each) => typeof each === 'boolean'))
    return { fields: [flagField(name, options)], values: [true, false] };
  if (all.every((each) => typeof each === 'number')) {
    const values = all.flatMap((each) => [each - 1, each - 0.5, each, each + 0.5, each + 1]);
    return { fields: [decimalField(name, { ...options, min: -1e13, max: 1e13 })], values };
  }
  if (all.every((each) => typeof each === 'string'))
    return { fields: [choiceField(name, { ...options, words: words(all) })], values: words(all) };
  if (!all.every((each) => Array.isArray(each) && each.every((word) => typeof word === 'string'))) return undefined;
  const members = words(all.flat());
  const values = [[], members, ...members.flatMap((word) => [[word], members.filter((each) => each !== word)])];
  return { fields: setField(name, { ...options, words: members }), values };
}

function lineWith(fields: readonly FieldOfRun[]): Vocabulary {
  const unused = flagField('unused', { label: 'unused', change, description });
  const all = [...fields.flatMap((each) => each.fields), unused];
  return defineLine({ line: 'specs', title: 'Specs', noun: 'thing', policyTypes: ['basic'], fields: all }).vocabulary;
}

/** Facts as json-rules-engine reads them: values with a path are in objects. */
function theirFacts(values: ReadonlyMap<string, unknown>): Record<string, unknown> {
  const facts: Record<string, unknown> = {};
  for (const [name, value] of values) {
    const [fact = '', ...path] = name.split(/\$?\./);
    if (path.length === 0) facts[fact] = value;
    else facts[fact] = { ...(facts[fact] as object | undefined), [path[0]!]: value };
  }
  return facts;
}

async function theirResults(run: RecordedRun, rules: readonly number[], facts: Record<string, unknown>) {
  const named = rules.map((rule) => ({ ...structuredClone(run.rules[rule]), name: `r${rule}` }));
  const engine = new Engine(named as unknown as RuleProperties[]);
  for (const [name, condition] of Object.entries(run.conditions ?? {}))
    engine.setCondition(name, structuredClone(condition) as never);
  const { results } = await engine.run(facts);
  return new Set(results.map(({ name }) => name));
}

/** A finding names the place, and has a way out after its reason. */
const wayOut = /^Left out\. .+([;:.] ).+/;

async function check(run: RecordedRun, seed: number): Promise<string | undefined> {
  const fields = fieldsOf(run);
  const vocabulary = lineWith(fields);
  const rules = run.rules.map((rule, index) => ({ ...rule, name: `r${index}` }));
  const imported = importJsonRulesEngine(
    { rules, ...(run.conditions ? { conditions: run.conditions } : {}) },
    {
      carrierKey: 'theirs',
      carrierName: 'Theirs',
      states: ['tx'],
      policyTypes: ['basic'],
      from: '2026-01-01',
      vocabulary,
      facts: Object.fromEntries(fields.map(({ theirs, ours }) => [theirs, ours])),
      outcomes: Object.fromEntries(run.rules.map(({ event }) => [event!.type, 'decline'])),
    },
  );
  const accepted = (imported.ruleSet['rules'] as { name: string }[]).map(({ name }) => Number(name.slice(1)));
  const faults = imported.findings.filter(({ severity }) => severity === 'fault');
  for (const index of rules.keys()) {
    const isReported = faults.some(({ path }) => path.startsWith(`/rules/${index}/`));
    if (accepted.includes(index) === isReported)
      return `rule ${index} is ${isReported ? 'reported and accepted' : 'lost'}`;
  }
  const unhelpful = faults.find(({ message }) => !wayOut.test(message));
  if (unhelpful) return `${unhelpful.path} has no way out: ${unhelpful.message}`;

  const evaluate = evaluatorOf(imported, vocabulary);
  const ours = await evaluate(
    Object.fromEntries(
      fields.flatMap(({ theirs, ours: name }) => (theirs in run.facts ? [[name, run.facts[theirs]]] : [])),
    ),
  );
  for (const index of accepted) {
    const [expected, actual] = [run.results[index], ours.get(`r${index}`)];
    if (expected !== null && actual !== undefined && expected !== actual)
      return `rule ${index} is ${actual}, in the spec ${expected}`;
    const hasAllFacts = fields.every(({ theirs }) => theirs in run.facts);
    if (hasAllFacts && actual === undefined) return `rule ${index} is open though all facts are there`;
  }

  const random = createRandom(seed);
  for (let home = 0; home < 12; home++) {
    const values = new Map(fields.map(({ theirs, values: all }) => [theirs, pick(random, all)]));
    const theirs = await theirResults(run, accepted, theirFacts(values));
    const isMissing = new Set(fields.filter(() => random() < 0.3));
    const whole = await evaluate(Object.fromEntries(fields.map((each) => [each.ours, values.get(each.theirs)])));
    const part = await evaluate(
      Object.fromEntries(fields.flatMap((each) => (isMissing.has(each) ? [] : [[each.ours, values.get(each.theirs)]]))),
    );
    for (const [name, answer] of whole) {
      const where = `${name} with ${JSON.stringify(Object.fromEntries(values))}`;
      if (answer !== theirs.has(name)) return `${where} is ${answer}, in json-rules-engine ${theirs.has(name)}`;
      const open = part.get(name);
      if (open !== undefined && open !== answer)
        return `${where} is ${answer}, but ${open} without ${[...isMissing].map((each) => each.theirs).join(', ')}`;
    }
  }
  return undefined;
}

describe.skipIf(!existsSync(recorded))('json-rules-engine', () => {
  it('holds for the rules of its specs and examples', async () => {
    const runs: readonly RecordedRun[] = JSON.parse(readFileSync(recorded, 'utf8'));
    const counts = new Map<string, number>();
    const cases = runs.map((run, index): Case => {
      const number = (counts.get(run.place) ?? 0) + 1;
      counts.set(run.place, number);
      return { id: `${run.place} ${number}`, run: () => check(run, index + 1) };
    });
    await holdTo('json-rules-engine', cases, { isWhole: true });
  });
});
