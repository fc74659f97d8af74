import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { importDmn, toDmn } from '@leeward/authoring';
import { checkRuleSet, defineLine, homeVocabulary, type Vocabulary } from '@leeward/engine';
import { choiceField, dateField, decimalField, type Field, flagField } from '@leeward/engine/vocabulary';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../packages/apps/cli/src/testing/temporary-folder.ts';
import { type DmnDecision, decisionsOf } from '../packages/extend/authoring/src/dmn/read-decisions.ts';
import { readXml, type XmlElement } from '../packages/extend/authoring/src/dmn/read-xml.ts';
import { readLiteral } from '../packages/extend/authoring/src/dmn/unary-tests.ts';
import { createRandom, pick, wholeNumber } from '../test/support/random.ts';
import { type Case, holdTo } from './hold-to.ts';
import { openCorpus } from './open-corpus.ts';
import { evaluatorOf } from './rule-answers.ts';

const corpus = openCorpus('dmn-tck');
const hasXmllint = process.env['LEEWARD_REQUIRE_SERVICES'] === '1' || spawnSync('xmllint', ['--version']).status === 0;

/** A test case of the corpus: values of inputs, and expected results of decisions. */
interface Test {
  readonly id: string;
  readonly inputs: ReadonlyMap<string, unknown>;
  readonly results: ReadonlyMap<string, unknown>;
}

const named = (of: XmlElement, name: string) => of.children.filter((child) => child.name === name);

/** A value as JSON: null, a number, a boolean, a text, a list, or an object of components. */
function valueIn(element: XmlElement): unknown {
  const [list, components] = [named(element, 'list')[0], named(element, 'component')];
  if (list) return named(list, 'item').map(valueIn);
  if (components.length > 0)
    return Object.fromEntries(components.map((each) => [each.attributes['name'], valueIn(each)]));
  const value = named(element, 'value')[0];
  if (!value || value.attributes['xsi:nil'] === 'true') return null;
  const type = (value.attributes['xsi:type'] ?? '').replace(/^.*:/, '');
  if (type === 'boolean') return value.text === 'true';
  if (['decimal', 'double', 'integer', 'int', 'float', 'long'].includes(type)) return Number(value.text);
  return value.text;
}

function testsOf(model: string): readonly Test[] {
  const folder = dirname(model);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.xml'))
    .flatMap((name) => {
      const root = readXml(readFileSync(join(folder, name), 'utf8'));
      if (root.name !== 'testCases' || named(root, 'modelName')[0]?.text.trim() !== basename(model)) return [];
      return named(root, 'testCase').map((test) => ({
        id: test.attributes['id'] ?? '',
        inputs: new Map(named(test, 'inputNode').map((node) => [node.attributes['name']!, valueIn(node)])),
        results: new Map(
          named(test, 'resultNode').flatMap((node) =>
            named(node, 'expected').map((expected) => [node.attributes['name']!, valueIn(expected)] as const),
          ),
        ),
      }));
    });
}

/** A line with the inputs of a model that are numbers, texts, booleans or dates. */
function lineOf(decisions: readonly DmnDecision[], tests: readonly Test[]) {
  const values = new Map<string, unknown[]>();
  for (const { inputs } of tests) {
    for (const [name, value] of inputs) if (value !== null) values.set(name, [...(values.get(name) ?? []), value]);
  }
  const constants = decisions.flatMap(({ table }) =>
    (table?.rows ?? []).flatMap(({ inputs }) =>
      inputs.flatMap(({ text }, column) =>
        [...text.matchAll(/"([^"]*)"/g)].map(([, word]) => [table!.inputs[column]?.expression, word!] as const),
      ),
    ),
  );
  const names = new Map<string, string>();
  const fields: Field[] = [flagField('unused', { label: 'unused', change: { kind: 'never' }, description: 'Unused.' })];
  for (const [theirs, all] of values) {
    const ours = `f_${theirs.toLowerCase().replace(/[^a-z0-9]+/g, '_')}`;
    const words = [...all, ...constants.flatMap(([input, word]) => (input === theirs ? [word] : [])), 'other'];
    const field = fieldOf(ours, all, words as string[]);
    if (!field) continue;
    fields.push(field);
    names.set(theirs, ours);
  }
  const line = defineLine({ line: 'models', title: 'Models', noun: 'thing', policyTypes: ['basic'], fields });
  return { vocabulary: line.vocabulary as Vocabulary, names };
}

function fieldOf(name: string, values: readonly unknown[], words: readonly string[]): Field | undefined {
  const options = { label: name, change: { kind: 'never' }, description: 'For tests.' } as const;
  if (values.every((each) => typeof each === 'boolean')) return flagField(name, options);
  if (values.every((each) => typeof each === 'number')) return decimalField(name, { ...options, min: -1e9, max: 1e9 });
  if (!values.every((each) => typeof each === 'string')) return undefined;
  if (values.every((each) => /^\d{4}-\d\d-\d\d$/.test(each))) return dateField(name, options);
  return choiceField(name, { ...options, words: [...new Set(words)] });
}

const textOf = (output: string) => {
  const literal = readLiteral(output);
  return literal ? String(literal.value) : output;
};

/** The result of a table for the rows that hold: that of the row, of several a list if the table collects. */
function resultOf({ table }: DmnDecision, held: readonly string[]): unknown {
  const rows = held.map((id) =>
    id.endsWith('-otherwise') ? undefined : table!.rows[Number(/\d+$/.exec(id)![0]) - 1]!,
  );
  const results = rows.map((row) => {
    const texts = table!.outputs.map(({ defaultValue }, column) => textOf(row?.outputs[column]?.text ?? defaultValue!));
    if (texts.length === 1) return texts[0];
    return Object.fromEntries(texts.map((text, column) => [table!.outputs[column]!.name, text]));
  });
  if (['COLLECT', 'RULE ORDER'].includes(table!.hitPolicy)) return results;
  const different = new Set(results.map((each) => JSON.stringify(each)));
  if (different.size > 1) throw new Error(`holds for rows with different outputs: ${[...different].join(', ')}`);
  return results[0] ?? null;
}

/** Texts of all values, with the names of components in order. */
function asTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asTexts);
  if (typeof value !== 'object' || value === null) return value === null ? null : String(value);
  const entries = Object.entries(value).map(([name, each]) => [name, asTexts(each)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

let tables = 0;
let answers = 0;

async function check(model: string): Promise<string | undefined> {
  const document = readFileSync(model, 'utf8');
  const decisions = decisionsOf(readXml(document));
  const tests = testsOf(model);
  const { vocabulary, names } = lineOf(decisions, tests);
  const outputs = decisions.flatMap(({ table }) => [
    ...(table?.rows ?? []).flatMap((row) => row.outputs.map(({ text }) => text)),
    ...(table?.outputs ?? []).flatMap(({ defaultValue }) => defaultValue ?? []),
  ]);
  const imported = importDmn(document, {
    carrierKey: 'theirs',
    carrierName: 'Theirs',
    states: ['tx'],
    policyTypes: ['basic'],
    from: '2026-01-01',
    vocabulary,
    facts: Object.fromEntries(names),
    outcomes: Object.fromEntries(outputs.map((text) => [textOf(text), 'decline'])),
  });
  const faults = imported.findings.filter(({ severity }) => severity === 'fault');
  const unhelpful = faults.find(({ message, path }) => !/^Left out\. .+[,;.:] .+/s.test(message) && path !== '');
  if (unhelpful) return `${unhelpful.path} has no way out: ${unhelpful.message}`;
  if (decisions.length === 0) return faults.length > 0 ? undefined : 'has no decision, which is not reported';

  const evaluate = evaluatorOf(imported, vocabulary);
  for (const [index, decision] of decisions.entries()) {
    const own = faults.filter(({ path }) => path === `/${index}` || path.startsWith(`/${index}/`));
    const unnamed = own.find(({ message }) => !message.includes(JSON.stringify(decision.name)));
    if (unnamed) return `a finding does not name ${decision.name}: ${unnamed.message}`;
    if (own.length > 0) continue;
    if (!decision.table) return `${decision.name} has no table and is not reported`;
    tables++;
    const slug = decision.name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
    for (const { id, inputs, results } of tests) {
      const used = decision.table.inputs.map(({ expression }) => expression);
      if (!results.has(decision.name) || used.some((name) => inputs.get(name) === null)) continue;
      const home = [...names].flatMap(([theirs, ours]) => (inputs.has(theirs) ? [[ours, inputs.get(theirs)]] : []));
      const all = await evaluate(Object.fromEntries(home));
      const held = [...all].flatMap(([rule, answer]) =>
        answer && rule.replace(/-(\d+|otherwise)$/, '') === slug ? [rule] : [],
      );
      const [actual, expected] = [resultOf(decision, held), results.get(decision.name)].map((each) =>
        JSON.stringify(asTexts(each)),
      );
      answers++;
      if (actual !== expected) return `${decision.name} of test ${id} is ${actual}, expected ${expected}`;
    }
  }
  return undefined;
}

describe.skipIf(!corpus)('DMN TCK', () => {
  it('holds for the import of decision tables', async () => {
    const root = join(corpus!.folder, 'TestCases');
    const models = ['compliance-level-2', 'compliance-level-3'].flatMap((level) =>
      readdirSync(join(root, level), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.dmn'))
        .map((name) => join(root, level, name)),
    );
    const cases = models.sort().map((model): Case => ({ id: relative(root, model), run: () => check(model) }));
    await holdTo('dmn-tck', cases, corpus!);
    // A quarter of the tables is imported; if none were, all models would pass.
    expect(tables).toBeGreaterThanOrEqual(13);
    expect(answers).toBeGreaterThanOrEqual(34);
  });

  it('has models that are damaged, which are read or refused at a place', () => {
    const random = createRandom(3);
    const options = { carrierKey: 'a', carrierName: 'A', states: ['tx'], policyTypes: ['ho3'], from: '2026-01-01' };
    const folder = join(corpus!.folder, 'TestCases/compliance-level-2');
    const models = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.dmn'));
    let refused = 0;
    for (const name of models) {
      const text = readFileSync(join(folder, name), 'utf8');
      for (let count = 0; count < 40; count++) {
        const at = wholeNumber(random, 0, text.length - 1);
        const end = at + wholeNumber(random, 0, 20);
        const damaged = pick(random, [
          text.slice(0, at),
          text.slice(0, at) + text.slice(end),
          text.slice(0, at) + pick(random, ['<', '>', '&', '"', '&#0;', '<!DOCTYPE a>', '</', '\0']) + text.slice(end),
        ]);
        const { findings, places, accepted } = importDmn(damaged, options);
        if (accepted === 0) expect(findings.length).toBeGreaterThan(0);
        for (const { path, message } of findings) {
          expect(message.length).toBeGreaterThan(20);
          expect(places.get(path)?.line).toBeGreaterThan(0);
        }
        if (findings[0]?.code === 'malformed_xml') refused++;
      }
    }
    expect(refused).toBeGreaterThan(models.length);
  });

  it.skipIf(!hasXmllint)('has a schema for exports, which they hold (needs xmllint)', () => {
    using files = temporaryFolder();
    const carriers = join(import.meta.dirname, '../fixtures/carriers');
    const names = readdirSync(carriers).map((name) => {
      const { ruleSet } = checkRuleSet(JSON.parse(readFileSync(join(carriers, name, 'rule-set.json'), 'utf8')));
      writeFileSync(join(files.path, `${name}.dmn`), toDmn(ruleSet!, homeVocabulary).xml);
      return join(files.path, `${name}.dmn`);
    });
    expect(names.length).toBeGreaterThan(20);
    const schema = join(corpus!.folder, 'TestCases/DMN14.xsd');
    const run = spawnSync('xmllint', ['--nonet', '--noout', '--schema', schema, ...names], { encoding: 'utf8' });
    expect({ status: run.status, faults: run.stderr.split('\n').filter((line) => !/ validates$/.test(line)) }).toEqual({
      status: 0,
      faults: [''],
    });
  });
});
