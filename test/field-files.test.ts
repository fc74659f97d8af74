import { writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runWords } from '../packages/apps/cli/src/testing/run-words.ts';
import { temporaryFolder } from '../packages/apps/cli/src/testing/temporary-folder.ts';
import { type Demo, startDemo } from './support/demo.ts';

type Json = Record<string, unknown>;

const fields = {
  format: 1,
  fields: [
    {
      name: 'dock_feet',
      kind: 'number',
      unit: 'feet',
      min: 0,
      max: 500,
      label: 'length of the dock',
      meaning: 'Length of the dock in feet.',
    },
  ],
  codes: ['dock'],
};
const ruleSet = {
  format: 1,
  carrier: { key: 'harbor_mutual', name: 'Harbor Mutual' },
  version: '1',
  effective: { from: '2026-01-01', until: null },
  rules: [
    {
      id: 'dock',
      outcome: 'decline',
      code: 'dock',
      when: { all: [{ fact: 'dock_feet', operator: 'greaterThan', value: 100 }] },
      message: 'A dock of {dock_feet} feet.',
    },
    {
      id: 'pool',
      outcome: 'refer',
      code: 'pool',
      when: { all: [{ fact: 'pool', operator: 'notEqual', value: 'none' }] },
      message: 'A pool.',
    },
  ],
  programs: [{ id: 'tx', policy_types: ['ho3'], states: ['tx'] }],
};

const folder = temporaryFolder({
  'fields.json': JSON.stringify(fields),
  'wrong.json': JSON.stringify({ ...fields, fields: [{ ...fields.fields[0], name: 'roof_type' }] }),
  'carriers/harbor_mutual/rule-set.json': JSON.stringify(ruleSet),
});
afterAll(() => folder[Symbol.dispose]());
const line = ['--line', 'home+./fields.json'];
const run = (words: string[], input?: string) =>
  runWords(words, { folder: folder.path, ...(input === undefined ? {} : { input }) });

describe('a file with fields on the command line', () => {
  it('is used by check, analyse, reference and schema', async () => {
    expect((await run(['rules', 'check', 'carriers', ...line])).output).toContain('no faults');
    const strange = await run(['rules', 'check', 'carriers']);
    expect([strange.code, strange.output]).toEqual([1, expect.stringContaining('dock_feet')]);
    expect((await run(['rules', 'analyse', 'carriers', ...line])).code).toBe(0);
    expect((await run(['rules', 'reference', 'dock_feet', ...line])).output).toContain('Length of the dock in feet');
    expect((await run(['rules', 'schema', ...line])).output).toContain('"dock_feet"');
  });

  it('is used by underwrite and books', async () => {
    const home = { state: 'tx', policy_type: 'ho3', dock_feet: 120, pool: 'none' };
    const { output } = await run(
      ['underwrite', '-', '--carriers', 'carriers', '--json', ...line],
      JSON.stringify(home),
    );
    expect(JSON.parse(output)).toMatchObject({ home, declined: [{ reasons: [{ message: 'A dock of 120 feet.' }] }] });
    writeFileSync(
      join(folder.path, 'book.csv'),
      'state,policy_type,dock_feet,pool\ntx,ho3,120,none\ntx,ho3,20,none\ntx,ho3,,none\ntx,ho3,20,in ground\ntx,ho3,900,none\n',
    );
    const book = await run(['book', 'run', 'book.csv', '--carriers', 'carriers', '--json', ...line]);
    expect(JSON.parse(book.output)).toMatchObject({ rows: 5, rejected: 1 });
    expect(book.output).toMatch(/"ineligible": 1/);
  });

  it('is refused whole with file, place and way out', async () => {
    const { code, errors } = await run(['rules', 'check', 'carriers', '--line', 'home+./wrong.json']);
    expect(code).toBe(2);
    expect(errors).toContain('wrong.json at /fields/0/name');
    expect(errors).toContain('choose another name');
    expect((await run(['rules', 'check', 'carriers', '--line', 'home+./none.json'])).errors).toContain('none.json');
  });
});

/** Pages are not operations of the contract, which the tests' `fetch` checks. */
const page = (url: string) =>
  new Promise<string>((resolve, reject) => {
    get(url, async (response) => {
      let text = '';
      for await (const part of response.setEncoding('utf8')) text += part;
      resolve(text);
    }).on('error', reject);
  });

describe('a service with a file of fields', () => {
  let demo: Demo;
  let token: string;
  beforeAll(async () => {
    demo = await startDemo({
      environment: {
        LEEWARD_LOG_LEVEL: 'silent',
        LEEWARD_LINES: `home+${join(folder.path, 'fields.json')}`,
        LEEWARD_CARRIERS: join(folder.path, 'carriers'),
      },
    });
    token = (demo.keys as unknown as Record<string, string>)['api_key']!;
  });
  afterAll(() => demo.stop());

  it('decides by the fields, documents them, and lists those that rules test for forms', async () => {
    const response = await fetch(`${demo.url}/v1/underwrite/home`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ state: 'tx', policy_type: 'ho3', dock_feet: 120 }),
    });
    const body = (await response.json()) as Json;
    expect([response.status, body['declined']]).toMatchObject([
      200,
      [{ reasons: [{ message: 'A dock of 120 feet.' }] }],
    ]);
    const document = await page(`${demo.url}/openapi.json`);
    expect(document).toContain('"dock_feet"');
    const lines = JSON.parse(await page(`${demo.url}/lines.json`)) as { lines: { fields: Json[] }[] };
    const form = lines.lines[0]!.fields.filter((field) => !field['on_demand']).map((field) => field['name']);
    expect(form).toEqual(expect.arrayContaining(['dock_feet', 'pool', 'roof_type']));
    expect(form).not.toContain('trampoline');
    const schema = await page(`${demo.url}/schemas/rule-set-1.json`);
    expect(schema).toContain('"dock_feet"');
    expect(JSON.parse(await page(`${demo.url}/schemas/fields-1.json`))).toHaveProperty('properties.fields');
  });
});
