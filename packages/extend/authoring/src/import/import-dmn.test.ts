import { checkRuleSet, createCatalog, parseRequest } from '@leeward/engine';
import { describe, expect, it } from 'vitest';
import { studioLine } from '../../../../../test/support/engine/studio-line.ts';
import { createRandom, pick, wholeNumber } from '../../../../../test/support/random.ts';
import { importDmn } from './import-dmn.ts';
import type { ImportOptions } from './import-json-rules-engine.ts';

const options: ImportOptions = {
  carrierKey: 'theirs',
  carrierName: 'Theirs',
  states: ['tx'],
  policyTypes: ['ho3'],
  from: '2026-01-01',
  facts: { 'Roof Age': 'roof_age' },
};
const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
const texts = (name: string, all: readonly string[]) =>
  all.map((text) => `<${name}><text>${escaped(text)}</text></${name}>`).join('');

interface TableParts {
  readonly name?: string;
  readonly policy?: string;
  readonly inputs?: readonly string[];
  readonly outputs?: string;
  /** Input entries, and the outputs after `=>`. */
  readonly rows: readonly string[];
}

function table({
  name = 'Appetite',
  policy,
  inputs = ['Roof Age', 'roof type'],
  outputs = '<output/>',
  rows,
}: TableParts) {
  const rules = rows.map((row) => {
    const [cells = '', results = ''] = row.split('=>');
    const entries = (text: string) => text.split(';').map((each) => each.trim());
    return `<rule>${texts('inputEntry', entries(cells))}${texts('outputEntry', entries(results))}</rule>`;
  });
  const columns = inputs.map((input) => `<input>${texts('inputExpression', [input])}</input>`);
  return `<decision name="${name}"><decisionTable${policy ? ` hitPolicy="${policy}"` : ''}>${columns.join('')}${outputs}${rules.join('')}</decisionTable></decision>`;
}
const document = (...decisions: readonly string[]) =>
  `<?xml version="1.0"?>\n<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" name="m">\n${decisions.join('\n')}\n</definitions>`;
const importOf = (parts: TableParts, more: Partial<ImportOptions> = {}) =>
  importDmn(document(table(parts)), { ...options, ...more });

const catalogs = new WeakMap<object, ReturnType<typeof createCatalog>>();

async function statusOf(file: object, home: Record<string, unknown>) {
  const catalog = catalogs.get(file) ?? createCatalog([{ file }]);
  catalogs.set(file, catalog);
  const parsed = parseRequest({ state: 'tx', policy_type: 'ho3', ...home }, { now: new Date('2026-11-20T12:00:00Z') });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return (await catalog.decide(parsed.request.property)).verdicts[0]!.status;
}

describe('a DMN table', () => {
  it('becomes a rule for each row, with tests of facts', () => {
    const { ruleSet, findings, read, accepted } = importDmn(
      document(
        table({
          policy: 'COLLECT',
          inputs: ['Roof Age', 'roof type', 'zip code', 'Cancelled'],
          rows: [
            '(15..20]; "Tile", "metal"; -; true => "decline"',
            '< 5, > 90; not("Tile"); ["77550".."77554"], "77001"; - => "refer"',
            '5, 7; -; not("77001"); not(true) => "decline"',
            'not([0..5)); -; -; - => "inform"',
          ],
        }),
      ),
      {
        ...options,
        facts: { ...options.facts, 'zip code': 'zipcode', Cancelled: 'prior_cover_cancelled' },
      },
    );
    expect(findings.map(({ path, message }) => [path, message])).toEqual([]);
    expect([read, accepted]).toEqual([4, 4]);
    expect(checkRuleSet(ruleSet).faults).toEqual([]);
    const rules = ruleSet['rules'] as { id: string; outcome: string; message: string; when: { all: unknown } }[];
    const test = (fact: string, operator: string, value: unknown) => ({ fact, operator, value });
    expect(rules[0]).toMatchObject({ id: 'appetite-1', outcome: 'decline', message: 'Appetite: decline.' });
    expect(rules.map(({ when }) => when.all)).toEqual([
      [
        test('roof_age', 'greaterThan', 15),
        test('roof_age', 'lessThanInclusive', 20),
        test('roof_type', 'in', ['tile', 'metal']),
        test('prior_cover_cancelled', 'equal', true),
      ],
      [
        { any: [test('roof_age', 'lessThan', 5), test('roof_age', 'greaterThan', 90)] },
        test('roof_type', 'notEqual', 'tile'),
        test('zipcode', 'in', ['77550-77554', '77001']),
      ],
      [
        test('roof_age', 'in', [5, 7]),
        test('zipcode', 'notIn', ['77001']),
        test('prior_cover_cancelled', 'notEqual', true),
      ],
      [{ any: [test('roof_age', 'lessThan', 0), test('roof_age', 'greaterThanInclusive', 5)] }],
    ]);
  });

  it('compares dates, as texts or as dates', () => {
    const rows = [
      '>= date("2024-03-01") => "decline"',
      '["2024-02-28"..@"2024-02-29"] => "refer"',
      'not("2024-02-28") => "inform"',
    ];
    const studios = { policyTypes: ['basic'], states: ['de'], vocabulary: studioLine };
    const { ruleSet, findings } = importOf({ policy: 'COLLECT', inputs: ['inspected'], rows }, studios);
    expect(findings).toEqual([]);
    expect((ruleSet['rules'] as { when: { all: unknown } }[]).map(({ when }) => when.all)).toEqual([
      [{ fact: 'inspected', operator: 'greaterThanInclusive', value: '2024-03-01' }],
      [
        { fact: 'inspected', operator: 'greaterThanInclusive', value: '2024-02-28' },
        { fact: 'inspected', operator: 'lessThanInclusive', value: '2024-02-29' },
      ],
      [{ fact: 'inspected', operator: 'notEqual', value: '2024-02-28' }],
    ]);
  });

  it('accepts by a row, and gives other homes the outcome of otherwise', async () => {
    const rows = ['<= 20; - => "Approved"', '> 40; - => "Declined"', '(20..30]; "tile" => "review"'];
    const { ruleSet, findings, accepted } = importOf({ rows });
    expect([findings, accepted]).toEqual([[], 3]);
    const at = (roof_age: number) => statusOf(ruleSet, { roof_age, roof_type: 'tile' });
    expect([await at(20), await at(25), await at(35), await at(41)]).toEqual([
      'eligible',
      'referral',
      'ineligible',
      'ineligible',
    ]);
    expect(await statusOf(ruleSet, { roof_age: 25, roof_type: 'metal' })).toBe('ineligible');
    expect(await statusOf(ruleSet, { roof_age: 10, roof_type: 'slate' })).toBe('eligible');
  });

  it('has the outcome of a default output for homes without a row', async () => {
    const outputs = `<output><defaultOutputEntry><text>"refer"</text></defaultOutputEntry></output>`;
    const { ruleSet, findings } = importOf({ outputs, rows: ['> 40; - => "decline"', '< 5; - => "inform"'] });
    expect(findings).toEqual([]);
    const at = (roof_age: number) => statusOf(ruleSet, { roof_age, roof_type: 'tile' });
    expect([await at(3), await at(10), await at(41)]).toEqual(['eligible', 'referral', 'ineligible']);
  });

  it.each([
    [
      ['UNIQUE', '> 5; - => "decline"', '> 9; "tile" => "refer"'],
      'rows_overlap',
      '/0/1',
      'Rows 1 and 2 of the table "Appetite"',
    ],
    [['ANY', '> 5; - => "decline"', '> 9; "tile" => "refer"'], 'rows_overlap', '/0/1', 'their outputs differ'],
    [['PRIORITY', '> 5; - => "decline"'], 'hit_policy', '/0', 'no list of output values'],
    [['OUTPUT ORDER', '> 5; - => "decline"'], 'hit_policy', '/0', 'choose COLLECT'],
    [['SOME', '> 5; - => "decline"'], 'hit_policy', '/0', 'use one of: UNIQUE'],
    [['COLLECT', '> 5; - => "best"'], 'unmapped_output', '/0', "--outcome 'best=decline'"],
    [['COLLECT', '-; - => "decline"'], 'no_test', '/0/0', 'Row 1 of the table "Appetite" has no test'],
    [
      ['COLLECT', '> Limit; - => "decline"'],
      'unknown_cell',
      '/0/0/0',
      'Row 1 of the table "Appetite", "Roof Age": "> Limit"',
    ],
    [['COLLECT', '-; > "a" => "decline"'], 'unknown_cell', '/0/0/1', 'which has no order'],
    [['COLLECT', '"old"; - => "decline"'], 'unknown_cell', '/0/0/0', 'compared with the text "old"'],
    [['COLLECT', 'null; - => "decline"'], 'unknown_cell', '/0/0/0', 'remove null'],
    [
      ['COLLECT', '-; "thatch" => "decline"'],
      'unknown_value',
      '/0/0/1',
      'Row 1 of the table "Appetite", "roof type": "thatch"',
    ],
    [['COLLECT', '> 5 => "decline"'], 'row_length', '/0/0', '1 input entries for 2 inputs'],
    [['FIRST', '> 5; x => "refer"', '> 9; - => "decline"'], 'table_left_out', '/0', 'mend that row'],
  ])('leaves out %j by name', ([policy, ...rows], code, path, words) => {
    const { findings, places } = importOf({ policy: policy!, rows });
    const finding = findings.find((each) => each.code === code);
    expect(finding).toMatchObject({ path, severity: 'fault', message: expect.stringContaining(words) });
    expect(places.get(path)?.line).toBe(3);
  });

  it.each([
    ['credit score', "--fact 'credit score=FACT'"],
    ['roof_age + 1', 'is an expression'],
    ['Other', 'is the result of another decision'],
  ])('leaves out a table with the input %j', (input, words) => {
    const other = '<decision name="Other"><literalExpression><text>1</text></literalExpression></decision>';
    const parts = table({ inputs: [input], rows: ['> 5 => "decline"'] });
    const { findings, accepted } = importDmn(document(parts, other), options);
    expect(accepted).toBe(0);
    expect(findings).toMatchObject([
      { code: 'unknown_input', path: '/0/inputs/0', message: expect.stringContaining(words) },
      { code: 'not_a_table', path: '/1', message: expect.stringContaining('"Other" is a literal expression') },
    ]);
  });

  it('leaves out a table whose rows exclude too many others', () => {
    const rows = Array.from(
      { length: 300 },
      (_, index) => `> ${index}; - => "${index % 2 === 0 ? 'refer' : 'decline'}"`,
    );
    const { findings, accepted } = importOf({ policy: 'FIRST', rows });
    expect(accepted).toBe(0);
    expect(findings.at(-1)).toMatchObject({
      code: 'too_many_rows',
      path: '/0',
      message: expect.stringContaining('"Appetite"'),
    });
  });

  it('leaves out tables that aggregate or compute', () => {
    const collect = table({ policy: 'COLLECT', rows: ['> 5; - => 5'] }).replace(
      'hitPolicy',
      'aggregation="SUM" hitPolicy',
    );
    expect(importDmn(document(collect), options).findings).toMatchObject([{ code: 'hit_policy' }]);
    const computed = importOf({ rows: ['> 5; - => x + 1'] }, { outcomes: { 'x + 1': 'decline' } });
    expect(computed).toMatchObject({ accepted: 0, findings: [{ code: 'computed_output', path: '/0/0' }] });
  });
});

it.each([
  ['', 'has no element'],
  ['<a/>', 'The root element is <a>'],
  ['<definitions/>', 'The root element is <definitions>'],
  [document(), 'has no decision'],
  ['<!DOCTYPE a [<!ENTITY b "bb">]><a>&b;</a>', 'remove <!DOCTYPE'],
  ['<a>&b;</a>', '&b; is not a character of XML'],
  ['<a><b></a>', '</a> ends <b>'],
  [`${'<a>'.repeat(200)}`, 'nest deeper than 100'],
])('rejects %j', (text, words) => {
  const { findings, accepted } = importDmn(text, options);
  expect(accepted).toBe(0);
  expect(findings).toMatchObject([{ severity: 'fault', path: '', message: expect.stringContaining(words) }]);
});

/** A cell as text and as the numbers or words that it accepts. */
type RandomCell = readonly [text: string, accepts: (value: never) => boolean];

describe('random tables', () => {
  const words = ['tile', 'metal', 'slate'];
  function numberCell(random: () => number): RandomCell {
    const [a, b] = [wholeNumber(random, 0, 9), wholeNumber(random, 0, 9)].sort((x, y) => x - y) as [number, number];
    const cells: readonly RandomCell[] = [
      ['-', () => true],
      [`< ${a}`, (value: number) => value < a],
      [`>= ${a}`, (value: number) => value >= a],
      [`[${a}..${b + 1})`, (value: number) => value >= a && value <= b],
      [`${a}, ${b}`, (value: number) => value === a || value === b],
      [`not(${a})`, (value: number) => value !== a],
      [`not([${a}..${b}], > 8)`, (value: number) => (value < a || value > b) && value <= 8],
    ];
    return pick(random, cells);
  }
  function wordCell(random: () => number): RandomCell {
    const [a, b] = [pick(random, words), pick(random, words)];
    const cells: readonly RandomCell[] = [
      ['-', () => true],
      [`"${a}"`, (value: string) => value === a],
      [`"${a}", "${b}"`, (value: string) => value === a || value === b],
      [`not("${a}")`, (value: string) => value !== a],
    ];
    return pick(random, cells);
  }

  it.each(['FIRST', 'COLLECT', 'PRIORITY', 'UNIQUE', 'ANY'])(
    'with %s have the outcomes of their rows',
    async (policy) => {
      const random = createRandom(7);
      const priority = ['accept', 'refer', 'decline'];
      const statuses = new Set<string>();
      let imports = 0;
      for (let count = 0; count < 40; count++) {
        const rows = Array.from({ length: wholeNumber(random, 1, 5) }, () => ({
          age: numberCell(random),
          type: wordCell(random),
          output: pick(random, priority),
        }));
        const outputs = `<output><outputValues>${priority.map((each) => `"${each}"`).join(', ')}</outputValues></output>`;
        const texted = outputs
          .replace('<outputValues>', '<outputValues><text>')
          .replace('</outputValues>', '</text></outputValues>');
        const { ruleSet, findings } = importOf({
          policy,
          outputs: texted,
          rows: rows.map(({ age, type, output }) => `${age[0]}; ${type[0]} => "${output}"`),
        });
        const homes = words.flatMap((type) => Array.from({ length: 10 }, (_, age) => ({ age, type })));
        const hits = homes.map(({ age, type }) =>
          rows.filter((row) => row.age[1](age as never) && row.type[1](type as never)),
        );
        if (findings.some(({ severity }) => severity === 'fault')) {
          // A table that is refused has overlapping rows, or a row that accepts nothing or everything.
          const isOverlap = hits.some((each) => each.length > 1);
          expect(
            findings.every(({ code }) => code === 'rows_overlap' && isOverlap) ||
              findings.some(({ code }) => code !== 'rows_overlap'),
          ).toBe(true);
          continue;
        }
        imports++;
        for (const [index, { age, type }] of homes.entries()) {
          const hit = hits[index]!;
          if (policy === 'PRIORITY') hit.sort((a, b) => priority.indexOf(a.output) - priority.indexOf(b.output));
          const outcomes = (policy === 'COLLECT' ? hit : hit.slice(0, 1)).map(({ output }) => output);
          const hasAccept = rows.some(({ output }) => output === 'accept');
          const isDeclined = outcomes.includes('decline') || (hit.length === 0 && hasAccept);
          const expected = isDeclined ? 'ineligible' : outcomes.includes('refer') ? 'referral' : 'eligible';
          statuses.add(expected);
          const context = `${JSON.stringify(rows)} ${age} ${type}`;
          expect([context, await statusOf(ruleSet, { roof_age: age, roof_type: type })]).toEqual([context, expected]);
        }
      }
      expect(imports).toBeGreaterThan(5);
      expect(statuses.size).toBe(3);
    },
  );
});
