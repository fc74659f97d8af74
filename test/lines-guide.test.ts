import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workspace } from './support/leeward-process.ts';
import { lineGuide } from './support/lines/line-guide.ts';

const run = promisify(execFile);
const { files, promised } = lineGuide(readFileSync(join(workspace, 'docs/lines.md'), 'utf8'));

describe('the guide to a line of one’s own', () => {
  // Within a package that knows both by name.
  const parent = join(workspace, 'packages/cli/.leeward');
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

  it('prints what it says', async () => {
    const flags = ['--conditions=@leeward/source', '--disable-warning=ExperimentalWarning'];
    const { stdout } = await run(process.execPath, [...flags, join(folder, 'serve.ts')], { cwd: folder });
    expect(stdout.trimEnd().split('\n')).toEqual(promised);
  });

  it('compiles as it stands, and not with a wrong value', async () => {
    const options = { extends: join(workspace, 'tsconfig.json'), include: ['*.ts'], exclude: [] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options));
    const slip = files.get('decide.ts')!.replace("building: 'high-rise'", "building: 'barn'");
    writeFileSync(join(folder, 'slip.ts'), slip);
    const tsc = join(workspace, 'node_modules/.bin/tsc');
    // Each thread of the compiler works out anew what the packages share.
    const { stdout } = await run(process.execPath, [tsc, '-p', folder, '--singleThreaded'], { cwd: folder }).catch(
      (error: { stdout: string }) => error,
    );
    const faults = stdout.split('\n').filter((line) => line.includes('error TS'));
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(/slip\.ts.*"barn"/);
  });
});
