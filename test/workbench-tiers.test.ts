import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from './support/chromium.ts';
import { workspace } from './support/running-leeward.ts';
import { expectAccessible, overflow, startWorkbench, type Workbench } from './support/workbench-page.ts';

describe.skipIf(!hasChromium)('a home with a carrier that has tiers', () => {
  let workbench: Workbench;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'leeward-tiers-'));
    const guide = 'homeowners-tiers-tx';
    cpSync(join(workspace, 'fixtures/real-guides', guide), join(folder, guide), { recursive: true });
    workbench = await startWorkbench({ LEEWARD_CARRIERS: folder });
  });
  afterAll(async () => {
    await workbench?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('shows the tier, why not a better one, and the changes that would help', async () => {
    const home = 'state=tx&county=harris&policy_type=ho3&usage=primary&roof_type=metal&total_claims=0';
    const page = await workbench.openView(`#/home?${home}&roof_age=12`, { width: 1400, height: 1400 });
    const card = page.getByRole('article', { name: /Preferred and standard, Texas/ });
    await card.getByRole('heading', { name: /HO3\s*Standard/ }).waitFor();
    await card.getByRole('button', { name: /Preferred and standard/ }).click();
    await card.getByRole('heading', { name: 'Why not Preferred' }).waitFor();
    await card.getByText('Roof of 12 years: over 10.').waitFor();
    const changes = card.getByRole('heading', { name: 'Changes for Preferred' });
    await changes.waitFor();
    await expectAccessible(page);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    const picture = process.env['LEEWARD_PICTURES'];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      if (picture) await card.screenshot({ path: join(picture, `tiers-${colorScheme}.png`) });
    }
    await card
      .getByRole('button', { name: /^Try it/ })
      .first()
      .click();
    await card.getByRole('heading', { name: /HO3\s*Preferred/ }).waitFor();
    await expect.poll(() => card.getByRole('heading', { name: /^Why not/ }).count()).toBe(0);
    await workbench.leave(page);
  });

  it('lists the tiers that missing fields leave open', async () => {
    const page = await workbench.openView(
      '#/home?state=tx&county=harris&policy_type=ho3&usage=primary&roof_type=metal&roof_age=5',
      { width: 1400, height: 1400 },
    );
    const card = page.getByRole('article', { name: /Preferred and standard, Texas/ });
    await card.getByRole('button', { name: /Preferred and standard/ }).click();
    await card.getByRole('heading', { name: 'May be', exact: true }).waitFor();
    expect(await card.getByRole('listitem').filter({ hasText: 'Preferred' }).first().innerText()).toContain(
      'depends on',
    );
    const picture = process.env['LEEWARD_PICTURES'];
    if (picture) await card.screenshot({ path: join(picture, 'tiers-open.png') });
    expect(workbench.said).toEqual([]);
    await workbench.leave(page);
  });
});
