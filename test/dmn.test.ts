/**
 * Complete homes in exported DMN tables, evaluated by the Drools engine, against this engine. LEEWARD_TEST_DMN_EXECUTOR is the path of the
 * executable in the package @kie-tools/jitexecutor-native, which the nightly run installs; without it, the test is skipped.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { toDmn } from '@leeward/authoring';
import { checkRuleSet, createCatalog, createProperty, homeVocabulary, type Property } from '@leeward/engine';
import { factsOfProperty } from '@leeward/engine/compiled';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { computedTopics } from '../packages/extend/authoring/src/testing/corpus/computed.ts';
import { detailTopics } from '../packages/extend/authoring/src/testing/corpus/details.ts';
import { randomFileTopics } from '../packages/extend/authoring/src/testing/corpus/random-files.ts';
import { type DmnExecutor, inputsOfDmn, startDmnExecutor } from './support/dmn-executor.ts';
import { completeFacts, type Random } from './support/engine/complete-facts.ts';
import { createRandom, pick } from './support/random.ts';
import { testVolume } from './support/test-volume.ts';

const executable = process.env['LEEWARD_TEST_DMN_EXECUTOR'];
const HOMES = 2_000;

type Json = Record<string, unknown>;

/** Rule sets of the fixtures and of the corpus, without moratoria: the tables do not have them. */
function files(): Json[] {
  const root = new URL('../fixtures/', import.meta.url);
  const read = (path: string): Json => JSON.parse(readFileSync(new URL(path, root), 'utf8'));
  const fixtures = ['carriers', 'real-guides'].flatMap((folder) =>
    readdirSync(new URL(folder, root), { withFileTypes: true })
      .filter((each) => each.isDirectory())
      .map(({ name }) => read(`${folder}/${name}/rule-set.json`)),
  );
  const topics = [...computedTopics(), ...detailTopics(), ...randomFileTopics(40, 1, 11)];
  const all = [...fixtures, ...topics.flatMap((topic) => topic.files as Json[])];
  return all.map(({ moratoria: _, ...file }) => file);
}

let executor: DmnExecutor | undefined;
beforeAll(async () => {
  if (executable) executor = await startDmnExecutor(executable);
}, 60_000);
afterAll(() => executor?.stop());

it.skipIf(!executable)(
  'Drools agrees with the engine on the exported tables (needs LEEWARD_TEST_DMN_EXECUTOR)',
  { timeout: 3_600_000 },
  async () => {
    const random = createRandom(44);
    const ruleSets = files().flatMap((file) => {
      const { ruleSet } = checkRuleSet(file, { vocabulary: homeVocabulary });
      if (!ruleSet) return [];
      const { xml, omitted } = toDmn(ruleSet, homeVocabulary);
      const isWhole = omitted.rules.length === 0 && omitted.tiers.length === 0;
      return isWhole ? [{ file, ruleSet, xml }] : [];
    });
    expect(ruleSets.length).toBeGreaterThan(100);
    const perRuleSet = Math.ceil(testVolume(HOMES) / ruleSets.length);
    const statuses = new Map<string, number>();
    let compared = 0;
    for (const { file, ruleSet, xml } of ruleSets) {
      expect(await executor!.validate(xml), ruleSet.carrierKey).toEqual([]);
      const catalog = createCatalog([{ file }], { vocabulary: homeVocabulary });
      const properties = Array.from({ length: perRuleSet }, () => completeHomeOf(file, ruleSet.programs, random));
      const inputs = inputsOfDmn(xml);
      const homes = properties.map((property) => inputOf(property, inputs));
      const results = await executor!.decide(xml, homes);
      properties.forEach((property, index) => {
        const [verdict] = catalog.decideSync(property).verdicts;
        const isContradicted = verdict?.reasons.some(({ code }) => code === 'contradicting_terms');
        if (isContradicted) return;
        compared++;
        const result = results[index]!;
        const context = () => JSON.stringify({ carrier: ruleSet.carrierKey, home: homes[index], verdict, result });
        const status = verdict?.status ?? 'not_offered';
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        expect(result.status, context()).toBe(status);
        const idsOf = (rules: readonly { ruleId?: string; rule?: string; code: string }[] = []) => [
          ...new Set(rules.filter(({ code }) => code !== 'territory').map(({ ruleId, rule }) => ruleId ?? rule)),
        ];
        const isOutside = verdict?.reasons.some(({ code }) => code === 'territory');
        if (!isOutside) expect(idsOf(result.reasons), context()).toEqual(idsOf(verdict?.reasons));
        expect(idsOf(result.require), context()).toEqual(idsOf(verdict?.requirements));
        expect(idsOf(result.inform), context()).toEqual(idsOf(verdict?.notes));
      });
    }
    console.log(`${compared} homes, ${ruleSets.length} rule sets, ${JSON.stringify(Object.fromEntries(statuses))}`);
    expect(statuses.size).toBe(4);
  },
);

/** A complete home, most often in a place and of a policy type of the programs, near the constants of the rules. */
function completeHomeOf(file: Json, programs: readonly { policyTypes: readonly string[] }[], random: Random): Property {
  const policyType =
    random() < 0.9 ? pick(random, pick(random, programs).policyTypes) : pick(random, homeVocabulary.policyTypes);
  const { from } = file['effective'] as { from: string };
  const effectiveDate = from < '2026-06-01' ? '2026-06-01' : from;
  return createProperty({
    vocabulary: homeVocabulary,
    policyType,
    effectiveDate,
    asOfMs: Date.parse(`${effectiveDate}T12:00:00Z`),
    ...completeFacts(file, homeVocabulary, effectiveDate, random),
  });
}

/** The facts of the model; items of lists with their ages. */
function inputOf(property: Property, inputs: readonly string[]): Json {
  const facts = factsOfProperty(property, property.policyType!, property.counties![0]);
  const year = property.effectiveYear;
  return Object.fromEntries(
    inputs.map((name) => {
      const value = facts.get(name);
      if (!(homeVocabulary.lists ?? []).some((list) => list.name === name)) return [name, value ?? null];
      const items = (value as Json[]).map((item) => {
        const date = String(item['date']);
        const age = year - Number(date.slice(0, 4)) - (property.effectiveDate.slice(4) < date.slice(4) ? 1 : 0);
        return { ...item, age_years: Math.max(0, age) };
      });
      return [name, items];
    }),
  );
}
