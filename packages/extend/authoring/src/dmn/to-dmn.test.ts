import { readdirSync, readFileSync } from 'node:fs';
import { checkRuleSet, homeVocabulary } from '@leeward/engine';
import { expect, it } from 'vitest';
import { literalOf } from './feel.ts';
import { toDmn } from './to-dmn.ts';

type Json = Record<string, unknown>;

function exportOf(rules: readonly Json[], rest: Json = {}) {
  const { ruleSet, faults } = checkRuleSet(
    {
      format: 1,
      carrier: { key: 'bayou', name: 'Bayou <Mutual> & "Sons"' },
      version: '1',
      effective: { from: '2026-01-01' },
      rules,
      programs: [
        { id: 'tx', policy_types: ['ho3', 'ho5'], states: ['tx'], counties: { tx: { exclude: ['galveston'] } } },
      ],
      ...rest,
    },
    { vocabulary: homeVocabulary },
  );
  if (!ruleSet) throw new Error(JSON.stringify(faults));
  return toDmn(ruleSet, homeVocabulary);
}
const rule = (id: string, outcome: string, when: Json, rest: Json = {}) => ({
  id,
  outcome,
  code: 'x_rule',
  message: `Rule ${id}.`,
  when,
  ...rest,
});
const test = (fact: string, operator: string, value: unknown) => ({ fact, operator, value });

/** The rows of a table: the cells of each, and the rule. */
function rowsOf(xml: string, table: string): string[][] {
  const body = new RegExp(`<decisionTable id="_${table}_table"[\\s\\S]*?</decisionTable>`).exec(xml)?.[0] ?? '';
  const plain = (text: string) =>
    text.replace(/&(lt|gt|quot|amp);/g, (_, name: string) => ({ lt: '<', gt: '>', quot: '"', amp: '&' })[name]!);
  return [...body.matchAll(/<rule [\s\S]*?<\/rule>/g)].map(([row]) =>
    [...row.matchAll(/<text>(.*?)<\/text>/g)].map(([, text]) => plain(text!)).slice(0, -2),
  );
}

it('writes one row for each conjunction, with intervals and lists of words', () => {
  const { xml, omitted } = exportOf([
    rule('middle', 'decline', {
      all: [
        test('roof_age', 'greaterThan', 15),
        test('roof_age', 'not:greaterThan', 20),
        test('roof_type', 'in', ['tile', 'slate']),
      ],
    }),
    rule('either', 'decline', {
      any: [{ not: { all: [test('total_claims', 'lessThan', 3), test('usage', 'equal', 'primary')] } }],
    }),
  ]);
  expect(rowsOf(xml, 'decline')).toEqual([
    ['"tx"', '(15..20]', '"tile", "slate"', '-', '-', '"middle"'],
    ['"tx"', '-', '-', '>= 3', '-', '"either"'],
    ['"tx"', '-', '-', '-', 'not("primary")', '"either"'],
  ]);
  expect(omitted).toMatchObject({ rules: [], terms: [], moratoria: [] });
});

it('counts items with filters and compares computed numbers', () => {
  const water = { all: [test('kind', 'equal', 'water'), test('age_years', 'lessThan', 3)] };
  const { xml } = exportOf([
    rule('water', 'refer', { all: [{ count: 'losses', where: water, operator: 'greaterThanInclusive', value: 2 }] }),
    rule('value', 'decline', { all: [test('dwelling_a', 'lessThan', { multiply: [150, { fact: 'square_feet' }] })] }),
    rule('largest', 'require', { all: [{ max: 'losses', of: 'amount', operator: 'greaterThan', value: 15_000 }] }),
    rule('dogs', 'inform', { all: [test('dogs', 'contains', 'akita')] }),
  ]);
  for (const expression of [
    'count(losses[(item.kind = &quot;water&quot; and item.age_years &lt; 3)])',
    'dwelling_a &lt; (150 * square_feet)',
    'max(append(losses.amount, -1))',
    'list contains(dogs, &quot;akita&quot;)',
  ])
    expect(xml).toContain(`<text>${expression}</text>`);
  expect(xml).toContain('<inputData id="_input_losses" name="losses">');
  expect(rowsOf(xml, 'refer')).toEqual([['"tx"', '>= 2', '"water"']]);
});

it('names what decision tables cannot express', () => {
  const many = Array.from({ length: 15 }, (_, index) => ({
    any: [test('acreage', 'equal', index), test('dwelling_a', 'equal', index + 1)],
  }));
  const { omitted, xml } = exportOf(
    [
      rule('many', 'decline', { all: many }),
      rule('swapped', 'refer', { all: [test('county', 'swap:equal', 'harris, tx')] }),
      rule('offer', 'offer', { all: [] }, { terms: { surcharge_percent: { min: 5 } } }),
    ],
    { moratoria: [{ id: 'storm', from: '2026-01-01T00:00:00Z', message: 'Storm.' }] },
  );
  expect(omitted.rules.map(({ id }) => id)).toEqual(['many', 'swapped']);
  expect(omitted).toMatchObject({
    moratoria: ['storm'],
    terms: ['offer'],
    effective: { from: '2026-01-01', until: null },
  });
  expect(xml).toContain('Rules that are not in the tables: many, swapped.');
});

it('escapes names, messages and numbers', () => {
  const message = 'Less than "5" <b> & \\ \u0007 😀 ]]>';
  const { xml } = exportOf([rule('odd', 'decline', { all: [test('acreage', 'lessThan', 1e-7)] }, { message })]);
  expect(xml).toContain('Rules of Bayou &lt;Mutual&gt; &amp; &quot;Sons&quot;, version 1.');
  expect(xml).toContain('<text>&quot;Less than \\&quot;5\\&quot; &lt;b&gt; &amp; \\\\ \\u0007 😀 ]]&gt;&quot;</text>');
  expect(xml).toContain('<text>&lt; 0.0000001</text>');
  expect([1e21, -1.5e22, 12, -0.5, Number.POSITIVE_INFINITY].map(literalOf)).toEqual([
    '1000000000000000000000',
    '-15000000000000000000000',
    '12',
    '-0.5',
    undefined,
  ]);
});

it('writes the same bytes again, with every rule of the fixture carriers', () => {
  const folder = new URL('../../../../../fixtures/carriers/', import.meta.url);
  let count = 0;
  for (const carrier of readdirSync(folder)) {
    const file = JSON.parse(readFileSync(new URL(`${carrier}/rule-set.json`, folder), 'utf8'));
    const { ruleSet } = checkRuleSet(file, { vocabulary: homeVocabulary });
    const { xml, omitted } = toDmn(ruleSet!, homeVocabulary);
    expect(toDmn(ruleSet!, homeVocabulary).xml).toBe(xml);
    expect(omitted.rules, carrier).toEqual([]);
    const ids = [...xml.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size, carrier).toBe(ids.length);
    expect(ids.every((id) => /^[A-Za-z_][\w.-]*$/.test(id!))).toBe(true);
    for (const [, href] of xml.matchAll(/ href="#([^"]*)"/g)) expect(ids).toContain(href);
    count++;
  }
  expect(count).toBeGreaterThan(20);
});

it('rejects a vocabulary of another line', () => {
  const { ruleSet } = checkRuleSet(
    {
      format: 1,
      carrier: { key: 'bayou', name: 'Bayou' },
      version: '1',
      effective: { from: '2026-01-01' },
      programs: [{ id: 'tx', policy_types: ['ho3'], states: ['tx'] }],
    },
    { vocabulary: homeVocabulary },
  );
  expect(() => toDmn(ruleSet!, { ...homeVocabulary, line: 'boat' })).toThrow('The rule set is of the line "home"');
});
