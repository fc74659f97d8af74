import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimsRuleSet } from '../../../../../../test/support/claims-rule-set.ts';
import { runWords } from '../../testing/run-words.ts';

const ruleSet = (version: string, limit?: number) => claimsRuleSet({ key: 'magnolia', version, limit });

describe('leeward rules, at the registry', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'leeward-registry-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const run = (words: readonly string[], environment: Record<string, string> = {}) =>
    runWords(words, { folder, environment: { LEEWARD_RULES_EXPLAIN: 'none', ...environment } });
  const token = async (name: string) => (await run(['token', 'create', '--operator', '--name', name])).output.trim();
  const idIn = (text: string) => /\(([a-z0-9]{26})\)/.exec(text)![1]!;
  const write = (version: string, limit?: number) =>
    writeFileSync(join(folder, 'rule-set.json'), JSON.stringify(ruleSet(version, limit)));

  it('proposes, lets another person approve, lists what is in force, and withdraws', async () => {
    const [anna, ben] = [await token('anna'), await token('ben')];
    write('1');
    const proposed = await run(['rules', 'propose', 'rule-set.json', '--token', anna]);
    expect([proposed.code, proposed.errors]).toEqual([0, '']);
    expect(proposed.output).toContain('Carrier magnolia 1, from 2026-01-01: proposed');
    const id = idIn(proposed.output);
    const own = await run(['rules', 'approve', id, '--token', anna]);
    expect([own.code, own.errors]).toEqual([1, expect.stringContaining('own_approval')]);
    const approved = await run(['rules', 'approve', id, '--revision', '1', '--token', ben]);
    expect([approved.code, approved.output]).toEqual([
      0,
      `Carrier magnolia 1, from 2026-01-01: in force (${id})\n  Four eyes: two tokens, which does not prove two people.\n`,
    ]);
    write('2', 4);
    const second = await run(['rules', 'propose', 'rule-set.json'], { LEEWARD_TOKEN: ben });
    expect(second.output).toContain('Newly accepted');
    await run(['rules', 'approve', idIn(second.output)], { LEEWARD_TOKEN: anna });
    expect((await run(['rules', 'status'])).output).toContain('magnolia: 2 from 2026-01-01\n');
    const back = await run(['rules', 'rollback', 'magnolia', '--why', 'Too many.']);
    expect([back.code, back.output]).toEqual([0, 'magnolia: 1 from 2026-01-01\n']);
    const none = await run(['rules', 'approve', id, '--token', ben]);
    expect([none.code, none.errors]).toEqual([1, expect.stringContaining('not_proposed')]);
    await run(['rules', 'withdraw', id]);
    const status = JSON.parse((await run(['rules', 'status', '--format', 'json'])).output);
    expect(status).toMatchObject({ publication: 4, carriers: [{ carrier_key: 'magnolia', versions: [] }] });
  });

  it('counts the changed policies of a readable book in a review', async () => {
    const [anna, ben] = [await token('anna'), await token('ben')];
    write('1');
    const first = await run(['rules', 'propose', 'rule-set.json', '--token', anna]);
    await run(['rules', 'approve', idIn(first.output), '--token', ben]);
    write('2', 0);
    const rows = [
      'state,county,policy_type,total_claims',
      'tx,harris,ho3,1',
      'Texas,Harris County,HO-3,0',
      'tx,travis,ho3,2',
    ];
    writeFileSync(join(folder, 'book.csv'), `${rows.join('\n')}\n`);
    const proposed = await run(['rules', 'propose', 'rule-set.json', '--book', 'book.csv']);
    expect([proposed.code, proposed.errors]).toEqual([0, '']);
    expect(proposed.output).toContain('3 policies of the book: 2 are answered differently from the version in force.');
    expect(proposed.output).toContain('by move: eligible to ineligible 2');
    writeFileSync(join(folder, 'book.csv'), `${rows.join('\n')}\ntx,harris,ho3,many\n`);
    const refused = await run(['rules', 'propose', 'rule-set.json', '--book', 'book.csv']);
    expect([refused.code, refused.output]).toEqual([2, '']);
    expect(refused.errors).toContain('book.csv:5: ');
    expect(refused.errors).toContain('1 line could not be read');
  });

  it('reads fields.json next to a rule set for its review and for a book', async () => {
    const [anna, ben] = [await token('anna'), await token('ben')];
    const fields = [
      { name: 'dock_feet', kind: 'number', min: 0, max: 500, label: 'dock', meaning: 'Length of the dock.' },
    ];
    const rules = (max: number) => [
      {
        id: 'dock',
        outcome: 'decline',
        code: 'x_dock',
        when: { all: [{ fact: 'dock_feet', operator: 'greaterThan', value: max }] },
        message: 'A dock of {dock_feet} feet.',
      },
    ];
    const home = { state: 'tx', county: 'harris', dock_feet: 120 };
    const cases = [
      {
        as_of: '2026-11-20T12:00:00Z',
        effective_date: '2026-12-01',
        home,
        policy_type: 'ho3',
        expect: { status: 'ineligible' },
      },
    ];
    const save = (name: string, value: unknown) => writeFileSync(join(folder, name), JSON.stringify(value));
    save('fields.json', { format: 1, fields });
    save('rule-set.json', { ...ruleSet('1'), rules: rules(100) });
    save('cases.json', cases);
    writeFileSync(join(folder, 'book.csv'), 'state,policy_type,dock_feet\ntx,ho3,120\ntx,ho3,90\ntx,ho3,20\n');
    const first = await run(['rules', 'propose', 'rule-set.json', '--token', anna]);
    expect([first.code, first.errors]).toEqual([0, '']);
    expect(first.output).toContain('1 case, all as expected.');
    const lines = { LEEWARD_LINES: `home+${join(folder, 'fields.json')}` };
    const approved = await run(['rules', 'approve', idIn(first.output), '--token', ben], lines);
    expect([approved.code, approved.errors]).toEqual([0, '']);
    save('rule-set.json', { ...ruleSet('2'), rules: rules(80) });
    const second = await run(['rules', 'propose', 'rule-set.json', '--book', 'book.csv']);
    expect([second.code, second.errors]).toEqual([0, '']);
    expect(second.output).toContain('3 policies of the book: 1 is answered differently from the version in force.');
    save('fields.json', { format: 1, fields: [{ ...fields[0], max: -1 }] });
    const wrong = await run(['rules', 'push', 'rule-set.json']);
    expect([wrong.code, wrong.errors]).toEqual([2, expect.stringContaining('fields.json at /fields/0/max')]);
  });

  it('keeps drafts, and proposes one by its identifier', async () => {
    write('1');
    const pushed = await run(['rules', 'push', '.']);
    expect(pushed.output).toContain(': draft (');
    const proposed = await run(['rules', 'propose', idIn(pushed.output), '--note', 'Ready.']);
    expect(idIn(proposed.output)).toBe(idIn(pushed.output));
    writeFileSync(join(folder, 'rule-set.json'), JSON.stringify({ ...ruleSet('2'), programs: [] }));
    const refused = await run(['rules', 'push', '.']);
    expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining('rule_set/programs')]);
  });

  it('stops carriers by a moratorium', async () => {
    const [anna, ben] = [await token('anna'), await token('ben')];
    const words = ['rules', 'moratorium', 'add', 'gulf-storm', '--states', 'tx,la', '--message', 'A storm.'];
    const added = await run([...words, '--token', anna]);
    expect(added.output).toContain('gulf-storm: proposed');
    const approved = await run(['rules', 'moratorium', 'approve', idIn(added.output), '--token', ben]);
    expect(approved.output).toContain('gulf-storm: approved');
    expect((await run(['rules', 'status'])).output).toContain('gulf-storm');
    expect((await run(['rules', 'moratorium', 'list'])).output).toContain('all carriers');
    const saveJson = (name: string, value: unknown) => writeFileSync(join(folder, name), JSON.stringify(value));
    const near = { fact: 'miles_from_county', operator: 'lessThan', value: 100 };
    const count = { count: 'events', where: near, operator: 'greaterThan', value: 0 };
    saveJson('near.json', { when: { all: [count] } });
    const conditional = ['rules', 'moratorium', 'add', 'near', '--condition', 'near.json', '--message', '{event}.'];
    const { output } = await run([...conditional, '--format', 'json', '--token', anna]);
    expect(JSON.parse(output).moratorium).toEqual({
      id: 'near',
      until: null,
      when: { all: [count] },
      message: '{event}.',
    });
    saveJson('near.json', { when: { all: [{ ...count, count: 'event' }] } });
    expect((await run([...conditional, '--token', anna])).errors).toContain('moratorium/when/all/0');
    saveJson('near.json', { all: [count] });
    expect(await run(conditional)).toMatchObject({
      code: 2,
      errors: expect.stringContaining('near.json must be an object with "when", "unless" or both.'),
    });
    expect((await run(['rules', 'moratorium', 'end', 'x'])).code).toBe(2);
    expect((await run(['rules', 'moratorium', 'add', 'x'])).code).toBe(2);
  });

  it('reports an unreachable service, and an unknown token', async () => {
    const away = await run(['rules', 'status', '--url', 'http://127.0.0.1:1', '--token', 'x']);
    expect([away.code, away.errors]).toEqual([2, expect.stringContaining('No service can be reached')]);
    const stranger = await run(['rules', 'status', '--token', 'lw_live_x_y']);
    expect([stranger.code, stranger.errors]).toEqual([1, expect.stringContaining('does not know this token')]);
  });
});
