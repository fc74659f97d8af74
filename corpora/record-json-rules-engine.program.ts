/**
 * Records the rules, facts and results of json-rules-engine's specs and examples, for `json-rules-engine.test.ts`. In a clone of its
 * repository at the commit of `catalog.ts`, after `npm install --ignore-scripts`:
 *
 *   export RECORD_TO=…/corpora/pinned/json-rules-engine/recorded.json
 *   node --import …/corpora/record-json-rules-engine.program.ts node_modules/mocha/bin/_mocha
 *   for file in examples/*.js; do node --import …/corpora/record-json-rules-engine.program.ts $file; done
 *
 * Each process adds to the file. Equal runs count once.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { join } from 'node:path';
import type { RecordedRun } from './recorded-run.ts';

const target = process.env['RECORD_TO'];
if (target === undefined) throw new Error('Set RECORD_TO to the file that the runs are added to.');
const load = createRequire(join(process.cwd(), 'package.json'));
load('babel-core/register');
load('babel-polyfill');

interface Rule {
  toJSON(stringify: false): unknown;
  readonly conditions: unknown;
  readonly ruleEvent: unknown;
}
interface Almanac {
  factValue(fact: string, params?: object, path?: string): Promise<unknown>;
}
interface Engine {
  readonly rules: readonly Rule[];
  readonly conditions: ReadonlyMap<string, Rule>;
  readonly facts: ReadonlyMap<string, { isConstant(): boolean; readonly value: unknown }>;
  run(facts?: Readonly<Record<string, unknown>>, options?: object): Promise<unknown>;
}
const { Engine, Rule, Almanac } = load('./src/json-rules-engine') as Record<
  'Engine' | 'Rule' | 'Almanac',
  { readonly prototype: never }
>;
const engines: Engine = Engine!.prototype;
const rules: { evaluate(almanac: Almanac): Promise<{ result: boolean }> } & Rule = Rule!.prototype;
const almanacs: Almanac = Almanac!.prototype;

// Examples require the package by its name.
const modules = Module as unknown as { _resolveFilename(name: string, ...rest: unknown[]): string };
const resolveFilename = modules._resolveFilename;
modules._resolveFilename = (name, ...rest) =>
  resolveFilename.call(
    modules,
    name === 'json-rules-engine' ? join(process.cwd(), 'src/json-rules-engine.js') : name,
    ...rest,
  );

const runs: RecordedRun[] = [];
/** By almanac: values of facts without parameters, or at a path in them, and results of rules. */
const records = new WeakMap<Almanac, { facts: Map<string, unknown>; results: Map<Rule, boolean> }>();
const recordOf = (almanac: Almanac) => {
  const entry = records.get(almanac) ?? { facts: new Map(), results: new Map() };
  records.set(almanac, entry);
  return entry;
};

const { factValue } = almanacs;
almanacs.factValue = function (fact, params, path) {
  const calculating = factValue.call(this, fact, params, path);
  if (Object.keys(params ?? {}).length === 0) {
    calculating.then(
      (value) => recordOf(this).facts.set(`${fact}${path ?? ''}`, value),
      () => {},
    );
  }
  return calculating;
};
const { evaluate } = rules;
let almanacOfRun: Almanac | undefined;
rules.evaluate = function (almanac) {
  almanacOfRun = almanac;
  return evaluate.call(this, almanac).then((result) => {
    recordOf(almanac).results.set(this, result.result);
    return result;
  });
};
/** A rule as JSON. One spec makes a rule that cannot be written. */
function writeRule(rule: Rule): unknown {
  try {
    return rule.toJSON(false);
  } catch {
    return { conditions: rule.conditions, event: rule.ruleEvent };
  }
}

const { run } = engines;
engines.run = function (facts = {}, options) {
  const place = /\/((?:test|examples)\/[\w/.-]+\.js)/.exec(
    (new Error().stack ?? '').replaceAll('test/support', ''),
  )?.[1];
  const written = this.rules.map(writeRule);
  const conditions = Object.fromEntries([...this.conditions].map(([name, each]) => [name, each.toJSON(false)]));
  almanacOfRun = undefined;
  const running = run.call(this, facts, options);
  const finish = () => {
    // Runs overlap in one spec only, and its rules are the same.
    const almanac = almanacOfRun;
    const { facts: values, results } = almanac ? recordOf(almanac) : { facts: new Map(), results: new Map() };
    for (const [name, fact] of [...this.facts, ...Object.entries(facts)]) {
      if (values.has(name)) continue;
      const isFact = typeof fact === 'object' && fact !== null && 'isConstant' in fact;
      const constant = isFact ? (fact as { value?: unknown }).value : fact;
      if (constant !== undefined && typeof constant !== 'function') values.set(name, constant);
    }
    runs.push({
      place: place ?? 'test',
      rules: written as RecordedRun['rules'],
      ...(Object.keys(conditions).length === 0 ? {} : { conditions }),
      facts: Object.fromEntries(values),
      results: this.rules.map((rule) => results.get(rule) ?? null),
    });
  };
  return running.then(
    (result) => {
      finish();
      return result;
    },
    (error: unknown) => {
      finish();
      throw error;
    },
  );
};

process.on('exit', () => {
  const before: RecordedRun[] = existsSync(target) ? JSON.parse(readFileSync(target, 'utf8')) : [];
  const written = new Map(before.map((each) => [JSON.stringify(each), each]));
  for (const each of runs) {
    // Performance specs run the same rules a thousand times.
    const text = JSON.stringify({ ...each, rules: each.rules.slice(0, 20), results: each.results.slice(0, 20) });
    written.set(text, JSON.parse(text));
  }
  const lines = [...written.keys()].map((text) => `  ${text}`);
  writeFileSync(target, `[\n${lines.join(',\n')}\n]\n`);
});
