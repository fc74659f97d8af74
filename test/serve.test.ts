import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runWords } from '../packages/apps/cli/src/testing/run-words.ts';
import { runLeewardHere } from './support/leeward-here.ts';
import { workspace } from './support/running-leeward.ts';
import { smallCoastline } from './support/small-coastline.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'leeward-serve-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const carriers = (...names: string[]) => {
  for (const name of names)
    cpSync(join(workspace, 'fixtures/carriers', name), join(folder, 'carriers', name), { recursive: true });
};

describe('leeward serve', () => {
  it('seeds nothing: no key, no file', async () => {
    carriers('bayou_mutual');
    const environment = { ...smallCoastline, PORT: '0', LEEWARD_DATA_DIR: join(folder, 'data') };
    const leeward = runLeewardHere(['serve', '--carriers', 'carriers'], { environment, folder });
    await leeward.says('with 1 carriers');
    const url = /http:\/\/\S+/.exec(leeward.output())?.[0];
    const response = await fetch(`${url}/v1/underwrite/home`, {
      method: 'POST',
      headers: { authorization: `Bearer lw_demo_${'a'.repeat(26)}_${'b'.repeat(43)}` },
    });
    expect(response.status).toBe(401);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(await leeward.stop()).toMatchObject({ code: 0 });
    expect(existsSync(join(folder, 'data', 'demo.json'))).toBe(false);
  });

  it('is stopped by broken rule sets, with all faults of all files: file, line, path, value, suggestion', async () => {
    carriers('bayou_mutual', 'cedar_brake', 'marsh_wren');
    const edit = (name: string, change: (text: string) => string) => {
      const path = join(folder, 'carriers', name, 'rule-set.json');
      writeFileSync(path, change(readFileSync(path, 'utf8')));
    };
    edit('bayou_mutual', (text) => text.replaceAll('"total_claims"', '"total_clams"'));
    edit('cedar_brake', (text) => text.replace('"outcome": "decline"', '"outcome": "deny"'));
    edit('marsh_wren', (text) => text.slice(0, -20));
    const end = await runWords(['serve', '--carriers', 'carriers'], { environment: { PORT: '0' }, folder });
    expect(end).toMatchObject({ code: 1, output: '' });
    expect(end.errors).toMatch(
      /carriers\/bayou_mutual\/rule-set\.json:\d+ {2}\/.*\/fact\n.*"total_clams".*Did you mean "total_claims"\?/,
    );
    expect(end.errors).toMatch(/carriers\/cedar_brake\/rule-set\.json:\d+ {2}\/.*\/outcome\n.*"deny".*decline/);
    expect(end.errors).toMatch(/carriers\/marsh_wren\/rule-set\.json:\d+\n.*not JSON/);
    expect(end.errors).not.toMatch(/\n\s+at |node:/);
  });

  it.each(
    readFileSync(join(workspace, 'fixtures/invalid-rule-sets/expected.ndjson'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { file: string; code: string; path: string; line: number })
      .filter((_, index) => index % 12 === 0),
  )('is stopped by $file', async ({ file, path, line }) => {
    const broken = join('fixtures/invalid-rule-sets', file);
    const end = await runWords(['serve', '--carriers', broken], { environment: { PORT: '0' }, folder: workspace });
    expect(end.code).toBe(1);
    expect(end.errors).toContain(`${broken}:${line}${path === '' ? '' : `  ${path}`}\n`);
  });
});
