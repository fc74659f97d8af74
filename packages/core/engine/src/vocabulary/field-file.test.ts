import { sharedWorkerPool } from '@leeward/worker-pool';
import { describe, expect, it } from 'vitest';
import { ruleFile, ruleSetFile, test } from '../../../../../test/support/engine/rule-set-file.ts';
import { createCatalog } from '../catalog/create-catalog.ts';
import { parseRequest } from '../request/parse-request.ts';
import { checkRuleSet } from '../rule-set/check.ts';
import { createThreadChecker, readLineModules } from '../threads/check-thread.ts';
import { originOf, readFieldFile } from './field-file.ts';
import { homeVocabulary } from './home.ts';

const meaning = 'A field of the test.';
const file = {
  format: 1,
  line: 'home',
  fields: [
    {
      name: 'dock_feet',
      kind: 'number',
      unit: 'feet',
      min: 0,
      max: 500,
      label: 'length of the dock',
      meaning,
      example: 40,
    },
    {
      name: 'dock_year',
      kind: 'year',
      label: 'year of the dock',
      meaning,
      age: { name: 'dock_age', label: 'age of the dock' },
    },
    {
      name: 'dock_material',
      kind: 'word',
      words: ['wood', 'steel'],
      label: 'material of the dock',
      meaning,
      change: 'any',
    },
    { name: 'boats', kind: 'set', words: ['sail', 'motor'], label: 'boats', meaning },
    { name: 'boat_lift', kind: 'flag', label: 'boat lift', meaning, change: [true] },
    { name: 'dock_inspected', kind: 'date', label: 'last inspection of the dock', meaning },
    { name: 'mailing_zip', kind: 'zipcode', label: 'ZIP code of the owner', meaning },
  ],
  relations: [{ lower: 'year_built', higher: 'dock_year' }],
  given_together: [['dock_feet', 'dock_material']],
  codes: ['dock'],
};
const rules = ruleSetFile({
  rules: [
    ruleFile({
      id: 'long',
      code: 'dock',
      message: '{dock_feet} feet.',
      when: { all: [test('dock_feet', 'greaterThan', 100)] },
    }),
    ruleFile({ id: 'old', code: 'dock', message: 'Old.', when: { all: [test('dock_age', 'greaterThan', 30)] } }),
    ruleFile({ id: 'motor', code: 'dock', message: 'Motor.', when: { all: [test('boats', 'contains', 'motor')] } }),
    ruleFile({ id: 'away', code: 'dock', message: 'Away.', when: { all: [test('mailing_zip', 'in', ['9*'])] } }),
  ],
});
const read = (input: unknown) => readFieldFile(input);
const faultsOf = (input: unknown) => read(input).faults.map(({ path, code }) => `${path} ${code}`);
const withField = (entry: object) => ({ format: 1, fields: [{ label: 'field', meaning, ...entry }] });

describe('a file with fields', () => {
  const { vocabulary, faults } = read(file);

  it('adds fields of every kind, which requests give and rules test', () => {
    expect(faults).toEqual([]);
    const catalog = createCatalog([{ file: rules }], { vocabulary: vocabulary! });
    const home = {
      state: 'tx',
      policy_type: 'ho3',
      year_built: 1990,
      dock_feet: '120',
      dock_material: 'Wood',
      boats: ['motor'],
      boat_lift: true,
      dock_inspected: '2026-01-01',
      mailing_zip: '90210',
    };
    const parsed = parseRequest(home, { now: new Date('2026-11-20T12:00:00Z'), vocabulary: vocabulary! });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
    expect(parsed.request.home).toMatchObject({
      dock_feet: 120,
      dock_material: 'wood',
      boats: ['motor'],
      boat_lift: true,
    });
    const [verdict] = catalog.decideSync(parsed.request.property).verdicts;
    expect(verdict!.reasons.map(({ ruleId }) => ruleId)).toEqual(['long', 'motor', 'away']);
    expect(verdict!.reasons[0]!.message).toBe('120 feet.');
    expect(catalog.testedFields()).toEqual(['dock_feet', 'dock_year', 'boats', 'mailing_zip']);
    expect(parseRequest({ state: 'tx', dock_feet: 1 }, { now: new Date(), vocabulary: vocabulary! }).ok).toBe(false);
    expect(parseRequest(home, { now: new Date() }).ok).toBe(false);
  });

  it('gives the same vocabulary again for an equal file', () => {
    expect(read(structuredClone(file)).vocabulary).toBe(vocabulary);
  });

  it('is plain data, from which a thread rebuilds the vocabulary', async () => {
    const { base, files } = originOf(vocabulary!);
    expect(base).toBe(homeVocabulary);
    const rebuilt = (await readLineModules(structuredClone(files))).get('home')!;
    expect(checkRuleSet(rules, { vocabulary: rebuilt }).faults).toEqual([]);
    const checker = createThreadChecker({ pool: sharedWorkerPool() });
    const checked = await checker.checkRuleSet(rules, { vocabulary: vocabulary! });
    expect(checked.faults).toEqual([]);
    expect((await checker.checkRuleSet(rules, {})).faults.map(({ code }) => code)).toContain('unknown_fact');
  });

  it('extends an extended line', () => {
    const more = { format: 1, fields: [{ name: 'pier_feet', kind: 'number', min: 0, max: 9, label: 'pier', meaning }] };
    const second = readFieldFile(more, vocabulary!).vocabulary!;
    expect(originOf(second).files).toHaveLength(2);
    expect(readFieldFile(file, second).faults[0]!.code).toBe('name_taken');
  });

  it.each<[string, unknown, string, string]>([
    ['a list', [], ' not_a_field_file', 'is a JSON object'],
    [
      'a field of the line',
      withField({ name: 'roof_type', kind: 'flag' }),
      '/fields/0/name name_taken',
      'which a file cannot change',
    ],
    [
      'a fact of the line',
      withField({ name: 'roof_age', kind: 'flag' }),
      '/fields/0/name name_taken',
      'choose another name',
    ],
    [
      'a reserved name',
      withField({ name: 'explain', kind: 'flag' }),
      '/fields/0/name name_taken',
      'hoose another name',
    ],
    ['a malformed name', withField({ name: 'Dock Feet', kind: 'flag' }), '/fields/0/name invalid_value', 'Dock Feet'],
    ['an unknown kind', withField({ name: 'dock', kind: 'text' }), '/fields/0/kind invalid_value', 'text'],
    [
      'an unknown unit',
      withField({ name: 'dock', kind: 'number', min: 0, max: 1, unit: 'yards' }),
      '/fields/0/unit invalid_value',
      'feet',
    ],
    [
      'an empty domain',
      withField({ name: 'dock', kind: 'number', min: 5, max: 1 }),
      '/fields/0/max invalid_value',
      'from 5 to 1',
    ],
    [
      'a fraction of a whole number',
      withField({ name: 'dock', kind: 'number', min: 0.5, max: 1 }),
      '/fields/0/min invalid_value',
      '"fractions": true',
    ],
    [
      'an example outside',
      withField({ name: 'dock', kind: 'number', min: 0, max: 1, example: 2 }),
      '/fields/0/example invalid_value',
      'Give a value within',
    ],
    [
      'a word twice',
      withField({ name: 'dock', kind: 'word', words: ['a', 'a'] }),
      '/fields/0/words/1 invalid_value',
      'twice',
    ],
    [
      'a word in capitals',
      withField({ name: 'dock', kind: 'word', words: ['Wood'] }),
      '/fields/0/words/0 invalid_value',
      'lower case',
    ],
    [
      'a change of no meaning',
      withField({ name: 'dock', kind: 'flag', change: 'lower' }),
      '/fields/0/change invalid_value',
      'flag',
    ],
    ['another line', { ...withField({ name: 'dock', kind: 'flag' }), line: 'boat' }, '/line unknown_line', '"boat"'],
    [
      'an unknown key',
      { ...withField({ name: 'dock', kind: 'flag' }), relation: [] },
      '/relation unknown_key',
      'Did you mean "relations"?',
    ],
    [
      'a relation of a flag',
      { ...withField({ name: 'dock', kind: 'flag' }), relations: [{ lower: 'dock', higher: 'year_built' }] },
      '/relations/0/lower unknown_field',
      'two such fields',
    ],
    [
      'a pair of nothing',
      { ...withField({ name: 'dock', kind: 'flag' }), given_together: [['dock', 'pier']] },
      '/given_together/0/1 unknown_field',
      '"pier"',
    ],
    [
      'a name twice',
      { format: 1, fields: [1, 2].map(() => ({ name: 'dock', kind: 'flag', label: 'dock', meaning })) },
      '/fields/1/name duplicate_name',
      '/fields/0/name',
    ],
  ])('is refused for %s', (_, input, place, hint) => {
    expect(faultsOf(input)).toContain(place);
    expect(
      read(input)
        .faults.map(({ message }) => message)
        .join(' '),
    ).toContain(hint);
    expect(read(input).vocabulary).toBeUndefined();
  });

  it('is bounded: fields, words, bytes, depth', () => {
    const many = {
      format: 1,
      fields: Array.from({ length: 201 }, (_, index) => ({ name: `f${index}`, kind: 'flag', label: 'f', meaning })),
    };
    expect(faultsOf(many)[0]).toContain('/fields');
    expect(
      faultsOf(
        withField({ name: 'dock', kind: 'word', words: Array.from({ length: 501 }, (_, each) => `w${each}`) }),
      )[0],
    ).toContain('/fields/0/words');
    expect(faultsOf({ ...file, $comment: 'x'.repeat(300_000) })[0]).toBe(' too_large');
    let deep: unknown = 1;
    for (let level = 0; level < 20_000; level++) deep = [deep];
    expect(faultsOf({ ...file, $comment: deep })[0]).toBe(' too_deep');
  });
});
