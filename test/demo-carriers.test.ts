import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCarrierAdapters } from '../packages/apps/cli/src/carriers/carrier-adapters.ts';
import { readCatalog } from '../packages/apps/cli/src/carriers/carrier-files.ts';
import { demoAppointments } from '../packages/apps/cli/src/demo/demo-organization.ts';
import { workspace } from './support/running-leeward.ts';

const verdictSource = async () => ({ status: 'eligible' as const, reasons: [], missingFields: [] });
const keysIn = (carriersFolder: string) =>
  readCarrierAdapters({ carriersFolder, folder: workspace, verdictSource, secrets: () => undefined })
    .map(({ key }) => key)
    .sort();

describe('the carriers of the published demo', () => {
  let folder: string;
  let published: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'leeward-demo-'));
    published = join(folder, 'dist/demo/carriers');
    execFileSync(process.execPath, [join(workspace, 'scripts/copy-demo-carriers.ts')], { cwd: folder });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('can return quotes, as all such carriers of the workspace do', () => {
    const keys = keysIn(published);
    expect(keys).toEqual(keysIn(join(workspace, 'fixtures/carriers')));
    expect(keys.length).toBeGreaterThan(10);
  });

  it('have the rules of all that there are', () => {
    const keysOf = (carriers: string) => readCatalog(carriers, folder).carriers.map(({ key }) => key);
    expect(keysOf(published)).toEqual(keysOf(join(workspace, 'fixtures/carriers')));
  });

  it('quote to the demo as often as the guide counts', () => {
    const keys = keysIn(published);
    const asked = demoAppointments.map(({ carrier_key: key }) => key).filter((key) => keys.includes(key));
    const guide = readFileSync(join(workspace, 'docs/start.md'), 'utf8');
    const counted = Number(/"success": (\d+),/.exec(guide)![1]);
    // One of the called carriers declines this home; the sandbox accepts all.
    expect(asked.length).toBeGreaterThanOrEqual(counted - 1);
    expect(counted).toBe(4);
  });
});
