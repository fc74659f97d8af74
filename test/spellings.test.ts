import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AdministrationError, createAccounts, createMemoryStore } from '@leeward/accounts';
import { createCatalog, parseRequest } from '@leeward/engine';
import { createRulesPort } from '@leeward/http-admin';
import { checkQuoteRequest, createCarrierCatalog, createSandboxCarrier } from '@leeward/quotes';
import { exampleBody, exampleFields } from '@leeward/quotes/testing';
import { createRegistry, readOrganizationRules } from '@leeward/registry';
import type { Fault } from '@leeward/terms';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runWords } from '../packages/apps/cli/src/testing/run-words.ts';

// One rule as json-rules-engine has it, to be imported for some state, form type and date.
const folder = mkdtempSync(join(tmpdir(), 'leeward-spellings-'));
afterAll(() => rmSync(folder, { recursive: true }));
const foreignRules = join(folder, 'rules.json');
const oldRoof = { all: [{ fact: 'roof_age', operator: 'greaterThan', value: 20 }] };
const event = { type: 'decline', params: { code: 'roof_age', message: 'Roof too old.' } };
writeFileSync(foreignRules, JSON.stringify([{ name: 'old roof', conditions: oldRoof, event }]));

/**
 * Reads a text at an entry point: returns the value, or the code of its fault. For the command line the message stands
 * for both.
 */
type Door = (text: string) => Promise<unknown>;

const system = { system: 'test' } as const;
const ruleSet = (program: object = {}, effective: object = { from: '2026-01-01' }) => ({
  format: 1,
  carrier: { key: 'own', name: 'Own' },
  version: '1',
  effective,
  programs: [{ id: 'all', policy_types: ['ho3'], states: ['fl'], ...program }],
});
const catalog = createCatalog([{ file: { ...ruleSet(), carrier: { key: 'bayou_mutual', name: 'Bayou Mutual' } } }]);
const accounts = createAccounts({
  store: createMemoryStore(),
  readOrganizationRules,
  catalog: new Set(['bayou_mutual']),
});
const registry = createRegistry({ accounts, rules: createRulesPort(catalog) });
const administration = {
  ...accounts.administration,
  ...registry.administration,
  operations: [...accounts.administration.operations, ...registry.administration.operations],
};
let organization_id: string;
let team_id: string;
let count = 0;
beforeAll(async () => {
  ({ organization_id } = await administration.organizations.create.run(system, { name: 'Agency' }));
  ({ team_id } = await administration.teams.create.run(system, { organization_id, name: 'Team' }));
});

const codeAt = (faults: readonly Fault[], path: string) =>
  faults.find((fault) => fault.path === path)?.code ?? 'no fault';

function underwriting(name: string, body: object, read: (home: Record<string, unknown>) => unknown): Promise<unknown> {
  const parsed = parseRequest({ state: 'fl', ...body }, { now: new Date('2026-11-20T12:00:00Z') });
  if (!parsed.ok) return Promise.resolve(codeAt(parsed.faults, `/${name}`));
  const { home, effectiveDate, warnings } = parsed.request;
  return Promise.resolve(warnings.find(({ path }) => path === `/${name}`)?.code ?? read({ ...home, effectiveDate }));
}

const quoteCatalog = createCarrierCatalog([createSandboxCarrier({ key: 'sandbox', name: 'Sandbox' })]);
async function quoting(
  path: string,
  more: object,
  fields: object,
  read: (request: Quoted) => unknown,
): Promise<unknown> {
  const body = { ...exampleBody, ...more, fields: { ...exampleFields, ...fields } };
  const teams = { hasProducer: async () => true, appointments: async () => [{ carrierKey: 'sandbox' }] };
  const checked = await checkQuoteRequest(body, { teamId: 't', catalog: quoteCatalog, teams, today: '2026-11-20' });
  return checked.ok ? read(checked.request) : codeAt(checked.faults, path);
}
type Quoted = Extract<Awaited<ReturnType<typeof checkQuoteRequest>>, { ok: true }>['request'];

async function administer<Item>(
  path: string,
  work: () => Promise<Item>,
  read: (item: Item) => unknown,
): Promise<unknown> {
  try {
    return read(await work());
  } catch (error) {
    if (error instanceof AdministrationError) return codeAt(error.faults, path);
    throw error;
  }
}

async function commandLine(words: string[], codes: readonly [RegExp, string][], read: (output: string) => unknown) {
  const { code, output, errors } = await runWords(words, { now: () => new Date('2026-11-20T12:00:00Z') });
  return code === 0 ? read(output) : (codes.find(([message]) => message.test(errors))?.[1] ?? errors);
}
const importRuleSet = (option: string, text: string, read: (file: ReturnType<typeof ruleSet>) => unknown) =>
  commandLine(
    ['rules', 'import', foreignRules, `--${option}`, text],
    [
      [/ is not a state; /, 'unknown_state'],
      [/ is not a policy type; /, 'unknown_policy_type'],
      [/--from is ".*"; give a date from /, 'invalid_date'],
    ],
    (output) => read(JSON.parse(output)),
  );

/** Files have one spelling of each; another is a fault that names it. */
async function ownCarrier(path: string, file: object): Promise<string> {
  const work = () => administration.carriers.create.run(system, { organization_id, rule_set: file });
  const told = await administer(path, work, () => 'taken');
  return String(told);
}

const stateDoors: Record<string, Door> = {
  underwriting: (state) => underwriting('state', { state }, (home) => home['state']),
  quoting: (state) =>
    quoting('/fields/state', {}, { state, county: countyOf[state] ?? 'Marion' }, ({ fields }) =>
      String(fields['state']).toLowerCase(),
    ),
  appointments: (state) =>
    administer(
      '/states/0',
      () =>
        administration.appointments.create.run(system, {
          organization_id,
          carrier_key: 'bayou_mutual',
          states: [state],
        }),
      ({ states }) => states?.[0],
    ),
  producers: (state) =>
    administer(
      '/licensed_states/0',
      () =>
        administration.producers.create.run(system, {
          organization_id,
          team_id,
          email: `${++count}@example.com`,
          licensed_states: [state],
        }),
      ({ licensed_states }) => licensed_states?.[0],
    ),
  teams: (state) =>
    administer(
      '/narrowed_to/0/states/0',
      () =>
        administration.teams.create.run(system, {
          organization_id,
          name: `Team ${++count}`,
          narrowed_to: [{ carrier_key: 'bayou_mutual', states: [state] }],
        }),
      ({ narrowed_to }) => narrowed_to?.[0]?.states?.[0],
    ),
  'command line': (state) => importRuleSet('state', state, (file) => file.programs[0]?.states[0]),
};
/** A county that the state has, so that the quote is refused for the state alone. */
const countyOf: Record<string, string> = {};
for (const state of ['TX', 'texas', 'Tex.']) countyOf[state] = 'Harris';
for (const state of ['N. Carolina', 'north-carolina']) countyOf[state] = 'Wake';

const policyTypeDoors: Record<string, Door> = {
  underwriting: (policy_type) => underwriting('policy_type', { policy_type }, (home) => home['policy_type']),
  quoting: async (formType) => {
    for (const product_code of ['homeowners', 'dwelling_fire', 'wind', 'ex_wind']) {
      const told = await quoting(
        '/form_types/0',
        { product_code, form_types: [formType] },
        {},
        ({ rates }) => rates[0]?.formType,
      );
      if (told !== 'form_type_not_in_product') return told;
    }
    return undefined;
  },
  appointments: (policyType) =>
    administer(
      '/policy_types/0',
      () =>
        administration.appointments.create.run(system, {
          organization_id,
          carrier_key: 'bayou_mutual',
          policy_types: [policyType],
        }),
      ({ policy_types }) => policy_types?.[0],
    ),
  'command line': (policyType) => importRuleSet('policy-type', policyType, (file) => file.programs[0]?.policy_types[0]),
};

const dateDoors: Record<string, Door> = {
  underwriting: (date) => underwriting('effective_date', { effective_date: date }, (home) => home['effectiveDate']),
  quoting: (date) =>
    quoting('/fields/effective_date', {}, { effective_date: date }, ({ effectiveDate }) => effectiveDate),
  appointments: (from) =>
    administer(
      '/from',
      () => administration.appointments.create.run(system, { organization_id, carrier_key: 'bayou_mutual', from }),
      (item) => item.from,
    ),
  'command line': (from) => importRuleSet('from', from, (file) => (file.effective as { from: string }).from),
};

const countyDoors: Record<string, Door> = {
  underwriting: (county) => underwriting('county', { county }, () => 'taken'),
  quoting: (county) => quoting('/fields/county', {}, { county }, () => 'taken'),
};

beforeAll(async () => {
  await administration.appointments.create.run(system, { organization_id, carrier_key: 'bayou_mutual' });
});

describe.each(Object.entries(stateDoors))('a state read by %s', (_, door) => {
  it.each([
    ['FL', 'fl'],
    [' fl ', 'fl'],
    ['Florida', 'fl'],
    ['Fla.', 'fl'],
    ['State of Florida', 'fl'],
    ['F.L.', 'fl'],
    ['TX', 'tx'],
    ['Tex.', 'tx'],
    ['N. Carolina', 'nc'],
    ['north-carolina', 'nc'],
    ['Floridda', 'unknown_state'],
    ['XX', 'unknown_state'],
    ['Ontario', 'unknown_state'],
    ['constructor', 'unknown_state'],
  ])('%j: %s', async (text, told) => expect(await door(text)).toBe(told));
});

describe.each(Object.entries(policyTypeDoors))('a form type read by %s', (_, door) => {
  it.each([
    ['ho3', 'ho3'],
    ['HO-03', 'ho3'],
    ['HO 00 03', 'ho3'],
    ['HO-0003', 'ho3'],
    [' Ho_5 ', 'ho5'],
    ['H.O. 8', 'ho8'],
    ['DP 00 01', 'dp1'],
    ['dp-3', 'dp3'],
    ['wind', 'wind only'],
    ['Wind-Only', 'wind only'],
    ['Wind X', 'x-wind'],
    ['ex wind', 'x-wind'],
    ['wind excluded', 'x-wind'],
    ['ho9', 'unknown_policy_type'],
    ['condo', 'unknown_policy_type'],
    ['toString', 'unknown_policy_type'],
  ])('%j: %s', async (text, told) => expect(await door(text)).toBe(told));
});

describe.each(Object.entries(dateDoors))('a date read by %s', (_, door) => {
  it.each([
    ['2026-09-01', '2026-09-01'],
    [' 2026-09-01 ', '2026-09-01'],
    ['Sept 1 2026', 'invalid_date'],
    ['9/1/2026', 'invalid_date'],
    ['2026-02-30', 'invalid_date'],
    ['2026-9-1', 'invalid_date'],
    ['20260901', 'invalid_date'],
    ['2026-09-01T00:00:00Z', 'invalid_date'],
  ])('%j: %s', async (text, told) => expect(await door(text)).toBe(told));
});

describe.each(Object.entries(countyDoors))('a county read by %s', (_, door) => {
  it.each([
    ['St. Johns County', 'taken'],
    ['saint johns', 'taken'],
    ['St Johns Co.', 'taken'],
    ['Miami-Dade', 'taken'],
    ['12086', 'taken'],
    ['Harris', 'county_not_in_state'],
    ['Nowhere', 'county_not_in_state'],
  ])('%j: %s', async (text, told) => {
    const read = await door(text);
    expect(read).toBe(told);
  });
});

describe('rule files accept one spelling of each, and name it in the fault', () => {
  it.each([
    ['a state', '/rule_set/programs/0/states/0', ruleSet({ states: ['Fla.'] }), 'unknown_state'],
    [
      'a policy type',
      '/rule_set/programs/0/policy_types/0',
      ruleSet({ policy_types: ['HO 00 03'] }),
      'unknown_policy_type',
    ],
    ['a date', '/rule_set/effective/from', ruleSet({}, { from: 'Sept 1 2026' }), 'invalid_date'],
  ])('%s of an added carrier', async (_, path, file, code) => expect(await ownCarrier(path, file)).toBe(code));

  it.each([
    ['states', ['Fla.'], '/exclude/states/0', 'unknown_state', 'Did you mean "fl"?'],
    ['policy_types', ['HO 00 03'], '/exclude/policy_types/0', 'unknown_policy_type', 'Did you mean "ho3"?'],
  ])('%s of an override', async (key, list, path, code, hint) => {
    const body = { organization_id, carrier_key: 'bayou_mutual', exclude: { [key]: list } };
    const error = await administration.overrides.create.run(system, body).then(
      () => undefined,
      (thrown: unknown) => thrown as AdministrationError,
    );
    expect(error?.faults).toMatchObject([{ path, code, message: expect.stringContaining(hint) }]);
  });
});
