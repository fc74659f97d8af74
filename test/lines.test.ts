import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  analyseRuleSet,
  checkCases,
  coverageOf,
  diffRuleSets,
  importDecisionTable,
  readAskedAt,
  requestOfProperty,
  startingRuleSet,
} from '@leeward/authoring';
import {
  bookTables,
  carriersOfCatalog,
  createBookColumns,
  createBookEvaluator,
  openBook,
  readBook,
  writeBookRow,
} from '@leeward/books';
import {
  type Catalog,
  createCatalog,
  createProperty,
  homeVocabulary,
  type Property,
  parseRequest,
  ruleSetJsonSchema,
  STATUS_CODES,
  type Vocabulary,
  whatWouldChange,
} from '@leeward/engine';
import { condo, flood } from '@leeward/lines';
import { Engine } from 'json-rules-engine';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../packages/apps/cli/src/testing/temporary-folder.ts';
import { autoCarrier, autoCases, autoLine } from './support/lines/auto-line.ts';
import {
  effectiveDate,
  meetsRelations,
  type Palette,
  paletteOf,
  plainFacts,
  randomRules,
  randomValues,
  type Value,
} from './support/lines/random-line-rules.ts';
import { createRandom, pick } from './support/random.ts';
import { testVolume } from './support/test-volume.ts';

const now = new Date('2026-11-20T12:00:00Z');
const at = readAskedAt(effectiveDate)!;
const lines: readonly Vocabulary[] = [homeVocabulary, condo.vocabulary, flood.vocabulary, autoLine];

function read(vocabulary: Vocabulary, body: object): Property {
  const parsed = parseRequest(body, { now, vocabulary });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return parsed.request.property;
}

/** Builds a property of the line from values of its fields on their axes. */
function propertyOf(vocabulary: Vocabulary, policyType: string, values: ReadonlyMap<string, Value>): Property {
  return createProperty({
    vocabulary,
    policyType,
    state: 'de',
    counties: ['10001'],
    values: Object.fromEntries(values),
    asOfMs: now.getTime(),
    effectiveDate,
  });
}

type Json = Record<string, unknown>;

/** Returns the status by json-rules-engine of the conditions as written. */
async function theirStatus(file: Json, facts: Json): Promise<string> {
  const engine = new Engine();
  const rules = file['rules'] as { id: string; outcome: string; when: never }[];
  for (const { outcome, when } of rules) engine.addRule({ conditions: when, event: { type: outcome } });
  const { events } = await engine.run({ state: 'de', county: '10001', ...facts });
  const found = new Set(events.map(({ type }) => type));
  return found.has('decline') ? 'ineligible' : found.has('refer') ? 'referral' : 'eligible';
}

/** Every way to complete what is missing. */
function* completions(vocabulary: Vocabulary, palette: Palette, known: ReadonlyMap<string, Value>, missing: string[]) {
  const visit = function* (values: Map<string, Value>, left: readonly string[]): Generator<Map<string, Value>> {
    const [name, ...rest] = left;
    if (name === undefined) {
      if (meetsRelations(vocabulary, values)) yield values;
      return;
    }
    for (const value of palette.values.get(name)!) yield* visit(new Map(values).set(name, value), rest);
  };
  yield* visit(new Map(known), missing);
}

function statusOf(catalog: Catalog, property: Property): string {
  return catalog.decideSync(property).verdicts[0]!.status;
}

describe.each(lines.map((vocabulary) => [vocabulary.line, vocabulary] as const))('the line %s', (name, vocabulary) => {
  it('matches json-rules-engine for complete facts, and every completion for incomplete ones', async () => {
    const random = createRandom(24);
    const seen = new Map<string, number>();
    for (let round = 0; round < testVolume(12); round++) {
      const palette = paletteOf(vocabulary, random);
      const { file, tested } = randomRules(vocabulary, palette, random);
      const catalog = createCatalog([{ file }], { vocabulary });
      const theirs = new Map<string, string>();
      for (let time = 0; time < 6; time++) {
        const policyType = pick(random, vocabulary.policyTypes);
        const whole = randomValues(vocabulary, palette, random);
        const ask = async (values: ReadonlyMap<string, Value>) => {
          const key = `${policyType} ${tested.map((field) => values.get(field)).join('|')}`;
          const known = theirs.get(key);
          if (known !== undefined) return known;
          const status = await theirStatus(file, { policy_type: policyType, ...plainFacts(vocabulary, values) });
          theirs.set(key, status);
          return status;
        };
        const say = JSON.stringify({ file, values: [...whole] });
        expect(statusOf(catalog, propertyOf(vocabulary, policyType, whole)), say).toBe(await ask(whole));
        const missing = [...new Set([pick(random, tested), pick(random, tested)])];
        const part = new Map([...whole].filter(([field]) => !missing.includes(field)));
        const possible = new Set<string>();
        for (const values of completions(vocabulary, palette, part, missing)) possible.add(await ask(values));
        const [verdict] = catalog.decideSync(propertyOf(vocabulary, policyType, part)).verdicts;
        for (const status of possible) expect(verdict!.possibleStatuses, say).toContain(status);
        if (!verdict!.conservative) expect(new Set(verdict!.possibleStatuses), say).toEqual(possible);
        seen.set(verdict!.status, (seen.get(verdict!.status) ?? 0) + 1);
      }
    }
    for (const status of ['eligible', 'ineligible', 'needs_information']) expect(seen.get(status)).toBeGreaterThan(2);
  });

  it('finds, in rules and in edits of them, only what homes show that a request can give', async () => {
    const random = createRandom(25);
    let examples = 0;
    let moved = 0;
    for (let round = 0; round < testVolume(8); round++) {
      const palette = paletteOf(vocabulary, random);
      const [older, newer] = [randomRules(vocabulary, palette, random), randomRules(vocabulary, palette, random)];
      const [before, after] = [older, newer].map(({ file }) => createCatalog([{ file }], { vocabulary }));
      const ruleSets = [before!, after!].map(({ carriers }) => carriers[0]!.versions[0]!.ruleSet);
      for (const { example } of analyseRuleSet(ruleSets[0]!, { vocabulary, at }).findings) {
        if (example === undefined) continue;
        examples++;
        expect(statusOf(before!, read(vocabulary, example))).not.toBe('needs_information');
      }
      const { findings } = diffRuleSets(ruleSets[0]!, ruleSets[1]!, { vocabulary, at });
      for (const { code, example } of findings) {
        if (example === undefined || !/^newly_|^no_longer_/.test(code)) continue;
        moved++;
        const property = read(vocabulary, example);
        const [was, is] = [statusOf(before!, property), statusOf(after!, property)];
        expect(was, JSON.stringify({ code, example })).not.toBe(is);
        if (code === 'newly_declined') expect(is).toBe('ineligible');
      }
    }
    expect(examples).toBeGreaterThan(3);
    expect(moved).toBeGreaterThan(3);
  });

  it('suggests changes that lead to the stated result', async () => {
    const random = createRandom(26);
    let ways = 0;
    for (let round = 0; round < testVolume(60); round++) {
      const palette = paletteOf(vocabulary, random);
      const { file } = randomRules(vocabulary, palette, random);
      const catalog = createCatalog([{ file }], { vocabulary });
      const policyType = vocabulary.policyTypes[0]!;
      const property = propertyOf(vocabulary, policyType, randomValues(vocabulary, palette, random));
      const answer = whatWouldChange(catalog, property, { carrierKey: 'random', aim: 'eligible' });
      const body: Json = { ...requestOfProperty(property) };
      for (const { changes } of answer.ways) {
        const changed = { ...body };
        for (const { field, word, to } of changes) {
          if (word === undefined) changed[field] = to;
          else {
            const others = (changed[field] as string[]).filter((each) => each !== word);
            changed[field] = to ? [...others, word] : others;
          }
        }
        ways++;
        expect(statusOf(catalog, read(vocabulary, changed)), JSON.stringify({ file, body, changes })).toBe('eligible');
      }
    }
    expect(ways).toBeGreaterThan(0);
  });

  it('is evaluated alike one by one, by columns and as a book', async () => {
    const random = createRandom(27);
    const palette = paletteOf(vocabulary, random);
    const { file } = randomRules(vocabulary, palette, random);
    const catalog = createCatalog([{ file }], { vocabulary });
    const policyType = vocabulary.policyTypes[0]!;
    const properties = Array.from({ length: 60 }, () => {
      const whole = [...randomValues(vocabulary, palette, random)].filter(() => random() < 0.8);
      // Fields that a request gives together stay together.
      const givenApart = vocabulary.givenTogether.flat();
      const fields = whole.filter(([field]) => {
        const { requestName, member } = vocabulary.fields.find((each) => each.name === field)!;
        return !givenApart.includes(requestName) && member === undefined;
      });
      return read(vocabulary, requestOfProperty(propertyOf(vocabulary, policyType, new Map(fields))));
    });
    const alone = properties.map((property) => STATUS_CODES[catalog.statusCodes(property)[0]!]);
    const columns = createBookColumns(vocabulary, properties.length);
    for (const [row, property] of properties.entries()) writeBookRow(columns, row, property);
    const tables = bookTables(catalog, { asOf: now, effectiveDate });
    const byColumns: unknown[] = [];
    for (const { codes, rows } of readBook(tables, columns, vocabulary)) {
      for (let row = 0; row < rows; row++) byColumns.push(STATUS_CODES[codes[row]!]);
    }
    expect(byColumns).toEqual(alone);
    using folder = temporaryFolder();
    const path = join(folder.path, 'policies.ndjson');
    const rows = properties.map((property) => {
      const { as_of: _, ...body } = requestOfProperty(property);
      return JSON.stringify({ ...body, policy_type: policyType });
    });
    writeFileSync(path, `${rows.join('\n')}\n`);
    const book = await openBook(path);
    const readRow = async (body: unknown) => {
      const parsed = parseRequest(body, { now, vocabulary });
      return parsed.ok ? { ok: true as const, property: parsed.request.property, warnings: [] } : parsed;
    };
    const judge = createBookEvaluator({
      carriers: carriersOfCatalog(catalog),
      format: book.format,
      name: path,
      asOf: now,
      readRow,
    });
    const asBook: unknown[] = [];
    for await (const batch of book.batches()) {
      const judged = await judge.evaluate(batch);
      expect([...judged.rejected.values()]).toEqual([]);
      for (let row = 0; row < judged.rows; row++) asBook.push(STATUS_CODES[judged.codes[row]!]);
    }
    await book.close();
    expect(asBook).toEqual(alone);
  });

  it('is authored: begun, given cases, covered, imported from a table, completed in an editor', async () => {
    const start = { carrierKey: 'first', carrierName: 'First', states: ['de'], from: '2026-01-01', vocabulary };
    const { ruleSet, cases } = startingRuleSet(start);
    const catalog = createCatalog([{ file: ruleSet }], { vocabulary });
    const carrier = catalog.carriers[0]!;
    const checked = await checkCases(carrier, cases, vocabulary);
    expect(checked.findings).toEqual([]);
    const { suggested } = await coverageOf(carrier, carrier.versions[0]!.ruleSet, checked, at, vocabulary);
    const more = await checkCases(carrier, suggested, vocabulary);
    expect(more.findings).toEqual([]);
    const number = vocabulary.fields.find(
      (field) => field.schema && !field.form && field.domain({ effectiveYear: 2026 }).kind === 'numbers',
    )!;
    const imported = importDecisionTable(
      [
        ['id', 'outcome', 'code', 'message', number.name],
        ['many', 'decline', 'x_many', 'Too many.', '> 5'],
      ],
      { ...start, policyTypes: [vocabulary.policyTypes[0]!] },
    );
    expect(imported.findings.filter(({ severity }) => severity === 'fault')).toEqual([]);
    expect(createCatalog([{ file: imported.ruleSet }], { vocabulary }).vocabulary.line).toBe(name);
    const schema = JSON.stringify(ruleSetJsonSchema(vocabulary));
    for (const type of vocabulary.policyTypes) expect(schema).toContain(JSON.stringify(type));
    expect(schema.includes('"ho3"')).toBe(vocabulary.policyTypes.includes('ho3'));
  });
});

describe('a line of a host that writes no homes', () => {
  it('has a carrier whose cases pass and whose rules all have an effect', async () => {
    const catalog = createCatalog([{ file: autoCarrier }], { vocabulary: autoLine });
    const [carrier] = catalog.carriers;
    const { findings } = await checkCases(carrier!, autoCases, autoLine);
    expect(findings).toEqual([]);
    const { ruleSet } = carrier!.versions[0]!;
    const found = analyseRuleSet(ruleSet, { vocabulary: autoLine, at }).findings;
    expect(found.filter(({ severity }) => severity === 'fault')).toEqual([]);
    const { nextQuestions } = catalog.decideSync(read(autoLine, { state: 'tx' }));
    expect(nextQuestions.map(({ field }) => field)).toEqual(expect.arrayContaining(['rideshare', 'model_year']));
  });
});
