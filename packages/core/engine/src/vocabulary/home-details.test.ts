import { Engine, type RuleProperties } from 'json-rules-engine';
import { describe, expect, it } from 'vitest';
import { ruleFile, ruleSetFile, test, when } from '../../../../../test/support/engine/rule-set-file.ts';
import { createRandom, pick, wholeNumber } from '../../../../../test/support/random.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { createCatalog } from '../catalog/create-catalog.ts';
import { explainVerdict } from '../explain/explain-verdict.ts';
import { parseRequest } from '../request/parse-request.ts';
import { createProperty, type Property } from '../request/property.ts';
import { checkRuleSet } from '../rule-set/check.ts';
import { toJsonRulesEngine } from '../rule-set/to-json-rules-engine.ts';
import { homeVocabulary } from './home.ts';
import { requestFieldsOf } from './request-fields.ts';

const now = new Date('2026-11-20T12:00:00Z');
const place = { state: 'tx', county: 'galveston', policy_type: 'ho3' };

function parse(body: Record<string, unknown>): Property {
  const parsed = parseRequest({ ...place, ...body }, { now });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return parsed.request.property;
}

const fileWith = (...all: object[]) => ruleSetFile({ rules: [ruleFile({ message: 'At {zipcode}.', when: { all } })] });
const verdictWith = (tests: object[], body: Record<string, unknown>) =>
  createCatalog([{ file: fileWith(...tests) }]).decideSync(parse(body)).verdicts[0]!;

describe('ZIP codes in rules', () => {
  const list = ['77550', '77553-77560', '776*', '02139'];

  it.each([
    ['in', list, '77550', true],
    ['in', list, '77551', false],
    ['in', list, '77553', true],
    ['in', list, '77560', true],
    ['in', list, '77561', false],
    ['in', list, '77600', true],
    ['in', list, '77699-1234', true],
    ['in', list, '77700', false],
    ['in', list, 2139, true],
    ['notIn', list, '77555', false],
    ['notIn', list, '77551', true],
    ['not:in', list, '77555', false],
    ['not:notIn', list, '77555', true],
    ['in', ['77550', '77551'], '77551', true],
    ['equal', '02139', '02139', true],
    ['notEqual', '02139', '02139', false],
    ['in', [], '02139', false],
  ])('%s %j holds for %j: %j', (operator, value, zipcode, holds) => {
    const verdict = verdictWith([test('zipcode', operator, value)], { zipcode });
    expect(verdict.status).toBe(holds ? 'ineligible' : 'eligible');
  });

  it('leave the status open for an unknown ZIP code, which is missing', () => {
    expect(verdictWith([test('zipcode', 'in', list)], {})).toMatchObject({
      status: 'needs_information',
      missingFields: ['zipcode'],
    });
    const bounded = createProperty({
      ...parse({}),
      values: { zipcode: { kind: 'between', min: '77553', max: '77556' } },
    });
    const { verdicts } = createCatalog([{ file: fileWith(test('zipcode', 'in', list)) }]).decideSync(bounded);
    expect(verdicts[0]!.status).toBe('ineligible');
  });

  it('are explained as written', async () => {
    const catalog = createCatalog([{ file: fileWith(test('zipcode', 'in', ['77553-77560', '776*'])) }]);
    const { decidedBy } = await explainVerdict(catalog, parse({ zipcode: '77555' }), { carrierKey: 'pine_ridge' });
    expect(decidedBy[0]).toMatchObject({
      message: 'At 77555.',
      tests: [{ text: 'ZIP code: 77555, which is one of 77553-77560 or 776*.' }],
    });
  });

  it.each([
    ['equal', 77550, 'Did you mean "77550"?'],
    ['equal', '2139', 'Did you mean "02139"?'],
    ['equal', '775*', 'use in or notIn with a list'],
    ['in', ['77560-77550'], 'must not exceed'],
    ['in', ['galveston'], 'ZIP codes, ranges ("77550-77554") and prefixes ("775*")'],
    ['in', '77550-77554', 'compares with a list'],
    ['lessThan', '77550', 'use equal, notEqual, in or notIn'],
    ['someValue:equal', ['77550'], 'use in or notIn'],
    ['inRanges', [77550, 77560], 'is not an operator'],
  ])('are refused: %s %j', (operator, value, hint) => {
    const { faults } = checkRuleSet(when(test('zipcode', operator, value)));
    expect(faults).toHaveLength(1);
    expect(faults[0]!.message).toContain(hint);
  });

  it('agree with json-rules-engine and with a look at the digits', async () => {
    const random = createRandom(20261126);
    const code = () => String(wholeNumber(random, 77_500, 77_620)).padStart(5, '0');
    const element = () => {
      const [one, other] = [code(), code()].sort() as [string, string];
      return pick(random, [one, `${one}-${other}`, `${one.slice(0, wholeNumber(random, 1, 4))}*`]);
    };
    const holds = (zip: string, each: string) =>
      each.endsWith('*')
        ? zip.startsWith(each.slice(0, -1))
        : each.includes('-')
          ? zip >= each.slice(0, 5) && zip <= each.slice(6)
          : zip === each;
    for (let round = 0; round < testVolume(60); round++) {
      const elements = Array.from({ length: wholeNumber(random, 1, 6) }, element);
      const operator = pick(random, ['in', 'notIn', 'not:in']);
      const file = fileWith(test('zipcode', operator, elements));
      const [rule] = toJsonRulesEngine(checkRuleSet(file).ruleSet!).rules;
      const engine = new Engine([rule as RuleProperties]);
      const catalog = createCatalog([{ file }]);
      const reference = createCatalog([{ file }], { evaluator: 'reference' });
      for (let home = 0; home < 6; home++) {
        const zipcode = code();
        const expected = elements.some((each) => holds(zipcode, each)) === (operator === 'in');
        const property = parse({ zipcode });
        const status = expected ? 'ineligible' : 'eligible';
        const say = JSON.stringify({ operator, elements, zipcode });
        expect(catalog.decideSync(property).verdicts[0]!.status, say).toBe(status);
        expect((await reference.decide(property)).verdicts[0]!.status, say).toBe(status);
        const { events } = await engine.run({ zipcode, state: 'tx', county: '48167', policy_type: 'ho3' });
        expect(events.length, say).toBe(expected ? 1 : 0);
      }
    }
  });
});

describe('values that a home has if it does not give them', () => {
  const renewal = [test('transaction', 'notEqual', 'new')];
  const accepted = [test('home_age', 'greaterThan', 50), test('previously_accepted', 'equal', false)];

  it('are new business that was not accepted before', () => {
    expect(verdictWith(renewal, {}).status).toBe('eligible');
    expect(verdictWith(renewal, { transaction: 'renewal' }).status).toBe('ineligible');
    expect(verdictWith(accepted, { year_built: 1950 }).status).toBe('ineligible');
    expect(verdictWith(accepted, { year_built: 1950, previously_accepted: true }).status).toBe('eligible');
    // A renewal without the answer is open: a missing field never declines.
    expect(verdictWith(accepted, { year_built: 1950, transaction: 'renewal' })).toMatchObject({
      status: 'needs_information',
      missingFields: ['previously_accepted'],
    });
  });

  it('are quoted in messages, and not echoed', () => {
    const rules = [
      ruleFile({ message: 'A {transaction} policy.', when: { all: [test('transaction', 'equal', 'new')] } }),
    ];
    const [verdict] = createCatalog([{ file: ruleSetFile({ rules }) }]).decideSync(parse({})).verdicts;
    expect(verdict!.reasons[0]!.message).toBe('A new policy.');
    const parsed = parseRequest({ state: 'tx' }, { now });
    expect(parsed.ok && parsed.request.home).toEqual({ state: 'tx' });
  });
});

describe('updates', () => {
  it('are years ago at the effective date, and not older than the house', () => {
    const tests = [test('wiring_update_age', 'greaterThan', 30)];
    expect(verdictWith(tests, { wiring_updated_year: 1996 }).status).toBe('eligible');
    expect(verdictWith(tests, { wiring_updated_year: 1995 }).status).toBe('ineligible');
    expect(verdictWith(tests, { year_built: 1996 }).status).toBe('eligible');
    expect(verdictWith(tests, { year_built: 1990 }).status).toBe('needs_information');
  });
});

describe('the fields of guides', () => {
  it('follow the fields of the contract, and forms leave them out until a rule tests them', () => {
    const names = requestFieldsOf(homeVocabulary, { effectiveYear: 2026 });
    const first = names.findIndex((field) => field.on_demand);
    expect(names.slice(first).every((field) => field.on_demand)).toBe(true);
    expect(names.slice(0, first).map(({ name }) => name)).not.toContain('pool');
    for (const { description, label } of names) expect([label, description]).not.toContain(undefined);
  });

  it('describe lists and the fields of their items', () => {
    const losses = requestFieldsOf(homeVocabulary, { effectiveYear: 2026 }).find(({ name }) => name === 'losses')!;
    if (losses.kind !== 'list') throw new Error(losses.kind);
    expect([losses.item_label, losses.max_items, losses.on_demand]).toEqual(['loss', 99, true]);
    expect(losses.fields.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      'kind word',
      'date date',
      'amount number',
      'status word',
      'weather flag',
    ]);
    expect(losses.fields[2]).toMatchObject({ unit: 'dollars', min: 0, integer: true });
    const counted = { count: 'losses', operator: 'greaterThan', value: 1 };
    expect(verdictWith([counted], { losses: [{}] }).status).toBe('eligible');
    expect(verdictWith([counted], {}).missingFields).toEqual(['losses']);
  });

  it('test sets word by word', () => {
    const tests = [test('dogs', 'someFact:in', ['pit bull', 'rottweiler'])];
    expect(verdictWith(tests, { dogs: ['Husky', 'Pit Bull'] }).status).toBe('ineligible');
    expect(verdictWith(tests, { dogs: [] }).status).toBe('eligible');
    expect(verdictWith(tests, {}).missingFields).toEqual(['dogs']);
  });
});
