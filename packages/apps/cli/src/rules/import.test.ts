import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkRuleSet } from '@leeward/engine';
import { describe, expect, it } from 'vitest';
import { runWords } from '../testing/run-words.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

async function json(words: readonly string[], folder: string) {
  const { code, output } = await runWords(['rules', ...words, '--format', 'json'], { folder });
  return {
    code,
    ...(JSON.parse(output) as { findings: Record<string, unknown>[]; rule_set?: unknown }),
  };
}

describe('leeward rules import', () => {
  const rules = [
    {
      name: 'claims',
      conditions: { all: [{ fact: 'total_claims', operator: 'greaterThan', value: 2 }] },
      event: { type: 'deny' },
      priority: 5,
    },
    { conditions: { any: [{ fact: 'roof_age', operator: 'greaterThan', value: 25 }] }, event: { type: 'call-us' } },
    {
      name: 'claims',
      conditions: { all: [{ fact: 'usage', operator: 'equal', value: 'vacant' }] },
      event: { type: 'decline', params: { message: 'Vacant.' } },
    },
    { conditions: { all: [{ fact: 'credit_score', operator: 'lessThan', value: 600 }] }, event: { type: 'deny' } },
    { conditions: { all: [] }, event: { type: 'eligible' } },
  ];

  it('imports json-rules-engine rules, and reports those that do not fit', async () => {
    using folder = temporaryFolder({ 'rules.json': JSON.stringify(rules, null, 2) });
    const found = await json(['import', 'rules.json', '--outcome', 'call-us=refer'], folder.path);
    expect(found.code).toBe(1);
    expect(found).toMatchObject({ read: 5, taken: 4 });
    expect(found.findings.map(({ code, path }) => [code, path])).toEqual([
      ['renamed', '/2/name'],
      ['unknown_fact', '/3/conditions/all/0/fact'],
    ]);
    expect(found.findings[1]).toMatchObject({ file: 'rules.json', line: 54 });
    const { ruleSet, faults } = checkRuleSet(found['rule_set']);
    expect(faults).toEqual([]);
    expect(ruleSet?.rules.map(({ id, outcome }) => [id, outcome])).toEqual([
      ['claims', 'decline'],
      ['rule-2', 'refer'],
      ['claims-2', 'decline'],
      ['rule-5', 'decline'],
    ]);
  });

  it('takes facts under the names that --fact gives, and makes the folder of --out', async () => {
    const theirs = [
      { conditions: { all: [{ fact: 'roofAge', operator: 'greaterThan', value: 20 }] }, event: { type: 'deny' } },
      { conditions: { all: [{ fact: 'state', operator: 'equal', value: 'FL' }] }, event: { type: 'deny' } },
    ];
    using folder = temporaryFolder({ 'rules.json': JSON.stringify(theirs) });
    const words = ['rules', 'import', 'rules.json', '--state', 'fl', '--out', 'new/deep/rule-set.json'];
    const refused = await runWords(words, { folder: folder.path });
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('--fact roofAge=roof_age') });
    const taken = await runWords([...words.slice(0, -1), 'other/rule-set.json', '--fact', 'roofAge=roof_age'], {
      folder: folder.path,
    });
    expect(taken).toMatchObject({ code: 0, errors: '' });
    const written: unknown = JSON.parse(readFileSync(join(folder.path, 'other/rule-set.json'), 'utf8'));
    expect(checkRuleSet(written)).toMatchObject({ faults: [] });
    const wrong = await runWords([...words.slice(0, -1), 'third.json', '--fact', 'roofAge'], { folder: folder.path });
    expect(wrong).toMatchObject({ code: 2, errors: expect.stringContaining('like roofAge=roof_age') });
  });

  it('skips an event of unknown meaning, and explains how to define one', async () => {
    using folder = temporaryFolder({ 'rules.json': JSON.stringify(rules.slice(1, 2)) });
    const found = await json(['import', 'rules.json'], folder.path);
    expect(found).toMatchObject({
      taken: 0,
      findings: [{ code: 'unmapped_event', message: expect.stringContaining('--outcome call-us=decline') }],
    });
  });

  it('takes a decision table, a rule a row', async () => {
    const table = [
      'id,outcome,code,message,roof_type,roof_age,home age,dwelling_a,usage,shape',
      'r1,decline,roof_age,Old roof,3-tab shingle,> 15,,,,',
      'r2,refer,,,metal | tile,>= 30,> 50,,,',
      'r3,decline,coverage_a,Too much,,,,"over 1,000,000",not rental | vacant,',
      'r4,declin,,,,> 9,,,,',
      'r5,decline,,,thatch,,,,,',
      'r6,decline,,,,abc,,,,',
      'r7,require,photos,Photos,,,,150000..1000000,,',
      'r8,decline,,,,> 3,,,,round',
      'r9,decline,,,,,,,,',
    ];
    using folder = temporaryFolder({ 'table.csv': table.join('\r\n') });
    const { code, errors } = await runWords(['rules', 'import', 'table.csv', '--out', 'rule-set.json'], {
      folder: folder.path,
    });
    expect({ code, errors }).toEqual({ code: 1, errors: '' });
    const file = JSON.parse(readFileSync(join(folder.path, 'rule-set.json'), 'utf8')) as {
      rules: { id: string; when: unknown }[];
    };
    expect(file.rules.map(({ id }) => id)).toEqual(['r1', 'r2', 'r3', 'r7']);
    expect(file.rules[2]?.when).toEqual({
      all: [
        { fact: 'dwelling_a', operator: 'greaterThan', value: 1_000_000 },
        { fact: 'usage', operator: 'notIn', value: ['rental', 'vacant'] },
      ],
    });
    expect((await runWords(['rules', 'check', 'rule-set.json'], { folder: folder.path })).code).toBe(0);
    const found = await json(['import', 'table.csv'], folder.path);
    expect(found.findings.map(({ code: each, line, column }) => [each, line, column])).toEqual([
      ['unknown_column', 1, 10],
      ['unknown_outcome', 5, 1],
      ['unknown_value', 6, 5],
      ['unknown_cell', 7, 6],
      ['unknown_column', 9, 10],
      ['no_test', 10, 1],
    ]);
  });

  it('takes DMN tables, and names what it leaves out at its line', async () => {
    const dmn = `<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/"><decision name="Roof"><decisionTable>
      <input><inputExpression><text>Age of Roof</text></inputExpression></input><output/>
      <rule><inputEntry><text>&gt; 20</text></inputEntry><outputEntry><text>"No"</text></outputEntry></rule>
      <rule><inputEntry><text>&lt;= limit</text></inputEntry><outputEntry><text>"Ask"</text></outputEntry></rule>
      </decisionTable></decision></definitions>`;
    using folder = temporaryFolder({ 'roof.dmn': dmn, 'bad.dmn': '<a>' });
    const refused = await json(['import', 'roof.dmn'], folder.path);
    expect(refused.findings.map(({ code, line }) => [code, line])).toEqual([
      ['unmapped_output', 1],
      ['unknown_input', 2],
    ]);
    const words = ['--fact', 'Age of Roof=roof_age', '--outcome', 'No=decline', 'Ask=refer'];
    const result = await json(['import', 'roof.dmn', ...words], folder.path);
    expect(result).toMatchObject({ code: 1, read: 2, taken: 1, findings: [{ code: 'unknown_cell', line: 4 }] });
    expect(result['rule_set']).toMatchObject({
      rules: [
        { id: 'roof-1', outcome: 'decline', when: { all: [{ fact: 'roof_age', operator: 'greaterThan', value: 20 }] } },
      ],
    });
    const bad = await json(['import', 'bad.dmn'], folder.path);
    expect(bad).toMatchObject({ code: 1, taken: 0, findings: [{ code: 'malformed_xml', line: 1, column: 1 }] });
    writeFileSync(join(folder.path, 'latin.dmn'), Buffer.from([0x3c, 0xe9]));
    const latin = await runWords(['rules', 'import', 'latin.dmn'], { folder: folder.path });
    expect([latin.code, latin.errors]).toEqual([2, expect.stringContaining('latin.dmn is not UTF-8')]);
  });

  it('reads limits in the notation of guides, and a county in the state of its row', async () => {
    const table = [
      'id,roof_age,total_claims,dwelling_a,state,county',
      'a,30+,,,,',
      'b,,2 or more,,,',
      'c,,,"150,000-1,000,000",,',
      'd,15 or newer,,,,',
      'e,,,,tx,galveston | harris',
      'f,,,,,galveston',
    ];
    using folder = temporaryFolder({ 'table.csv': table.join('\n') });
    const found = await json(['import', 'table.csv', '--state', 'tx,la'], folder.path);
    const { rules, programs } = found['rule_set'] as {
      rules: { id: string; when: { all: unknown } }[];
      programs: object[];
    };
    const test = (fact: string, operator: string, value: unknown) => ({ fact, operator, value });
    expect(rules.map(({ id, when }) => [id, when.all])).toEqual([
      ['a', [test('roof_age', 'greaterThanInclusive', 30)]],
      ['b', [test('total_claims', 'greaterThanInclusive', 2)]],
      ['c', [test('dwelling_a', 'greaterThanInclusive', 150_000), test('dwelling_a', 'lessThanInclusive', 1_000_000)]],
      ['d', [test('roof_age', 'lessThanInclusive', 15)]],
      ['e', [test('state', 'equal', 'tx'), test('county', 'in', ['galveston, tx', 'harris, tx'])]],
    ]);
    expect(programs).toMatchObject([{ states: ['tx', 'la'] }]);
    expect(found.findings.map(({ code, line, column }) => [code, line, column])).toEqual([
      ['no_outcome_column', 1, 1],
      ['unknown_county', 7, 6],
    ]);
    const { output } = await runWords(['rules', 'import', 'table.csv', '--out', 'new.json', '--from', '2026-12-01'], {
      folder: folder.path,
    });
    expect(output).toContain('6 rules read, 5 taken, 1 left out.');
    expect(output).toContain('They are written for ho3 in TX from 2026-12-01');
    expect(output).toContain('Next: leeward rules check new.json');
  });

  it.each([
    [['rules', 'import', 'none.json'], 2],
    [['rules', 'import', 'none.csv'], 2],
    [['rules', 'import', 'none.dmn'], 2],
    [['rules', 'import', 'bad.json'], 2],
    [['rules', 'import', 'bad.csv'], 2],
    [['rules', 'import', 'rules.json', '--outcome', 'deny'], 2],
  ])('%j is wrong use', async (words, code) => {
    using folder = temporaryFolder({ 'bad.json': '[', 'bad.csv': 'a,"b\n', 'rules.json': '[]' });
    expect((await runWords(words, { folder: folder.path })).code).toBe(code);
  });
});
