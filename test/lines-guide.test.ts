import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLinesOn } from '../packages/apps/cli/src/lines/lines-on.ts';
import { runLeewardHere } from './support/leeward-here.ts';
import { lineGuide } from './support/lines/line-guide.ts';
import { nodeFlags } from './support/node-flags.ts';
import { workspace } from './support/running-leeward.ts';
import { smallCoastline } from './support/small-coastline.ts';

const run = promisify(execFile);
const { files, promised } = lineGuide(readFileSync(join(workspace, 'docs/lines.md'), 'utf8'));

describe('the guide to a line of one’s own', () => {
  // Within a package that knows both by name.
  const parent = join(workspace, 'packages/apps/cli/.leeward');
  let folder: string;
  beforeAll(() => {
    mkdirSync(parent, { recursive: true });
    folder = mkdtempSync(join(parent, 'lines-'));
    for (const [name, code] of files) writeFileSync(join(folder, name), code);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('has a file a step', () => {
    expect([...files.keys()]).toEqual(['renters.ts', 'carrier.ts', 'decide.ts', 'serve.ts']);
  });

  it('prints the documented lines', async () => {
    const { stdout } = await run(process.execPath, [...nodeFlags, join(folder, 'serve.ts')], { cwd: folder });
    expect(stdout.trimEnd().split('\n')).toEqual(promised);
  });

  it('is turned on by its file where leeward serve runs, and its rules are reviewed in its words', async () => {
    const { loftMutual } = (await import(join(folder, 'carrier.ts'))) as { loftMutual: object };
    mkdirSync(join(folder, 'carriers'));
    writeFileSync(join(folder, 'carriers/loft_mutual.json'), JSON.stringify(loftMutual));
    const environment = {
      PORT: '0',
      LEEWARD_DATA_DIR: join(folder, 'data'),
      LEEWARD_LINES: 'home,./renters.ts',
      ...smallCoastline,
    };
    const leeward = runLeewardHere(['serve', '--demo', '--carriers', 'carriers'], { folder, environment });
    try {
      await leeward.says('Stop: Ctrl+C');
      const keys = JSON.parse(readFileSync(join(folder, 'data/demo.json'), 'utf8')) as Record<string, string>;
      const post = async (path: string, body: object, token = keys['api_key']) => {
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
        const response = await fetch(`${keys['url']}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
        return (await response.json()) as Record<string, unknown>;
      };
      const wide = { state: 'Texas', policy_type: 'tenant', contents: 150_000, building: 'house' };
      const { declined } = await post('/v1/underwrite/renters', wide);
      expect(declined).toEqual([expect.objectContaining({ carrier_key: 'loft_mutual', status: 'ineligible' })]);
      const file = JSON.parse(readFileSync(join(folder, 'carriers/loft_mutual.json'), 'utf8')) as object;
      const ruleSet = { ...file, carrier: { key: 'garret_mutual', name: 'Garret Mutual' } };
      const proposed = await post('/v1/admin/rule-sets/propose', { rule_set: ruleSet }, keys['admin_token']);
      expect(proposed['review']).toMatchObject({
        findings: [{ code: 'gap_rules', witness: { building: expect.any(String), alarms: ['smoke'] } }],
      });
    } finally {
      await leeward.stop();
    }
  });

  it.each([
    ['./renter.ts', 'renter.ts cannot be loaded: '],
    ['./decide.ts', 'decide.ts exports no line; export one that defineLine made.'],
    ['./condo.ts', './condo.ts has a line condo, and there is one of that name; give it another.'],
  ])('is refused as %s', async (name, message) => {
    const renters = readFileSync(join(folder, 'renters.ts'), 'utf8');
    writeFileSync(join(folder, 'condo.ts'), renters.replace("line: 'renters'", "line: 'condo'"));
    await expect(openLinesOn(['home', name], folder)).rejects.toThrow(message);
  });
});
