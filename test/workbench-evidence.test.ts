import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from './support/chromium.ts';
import { expectAccessible, overflow, startWorkbench, type Workbench } from './support/workbench-page.ts';

const ruleSet = {
  format: 1,
  carrier: { key: 'proof', name: 'Proof Mutual' },
  version: '1',
  effective: { from: '2020-01-01' },
  programs: [{ id: 'tx', policy_types: ['ho3'], states: ['tx'] }],
  rules: [
    {
      id: 'wiring',
      outcome: 'decline',
      code: 'wiring',
      message: 'Knob and tube needs the approval of an electrician within 5 years.',
      when: {
        all: [
          { fact: 'primary_wiring', operator: 'equal', value: 'knob and tube' },
          {
            not: {
              all: [
                { fact: 'primary_wiring.source', operator: 'equal', value: 'electrician' },
                { fact: 'primary_wiring.evidence_age_years', operator: 'lessThan', value: 5 },
              ],
            },
          },
        ],
      },
    },
  ],
};

describe.skipIf(!hasChromium)('a person who gives evidence', () => {
  let workbench: Workbench;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'leeward-evidence-'));
    mkdirSync(join(folder, 'proof'));
    writeFileSync(join(folder, 'proof', 'rule-set.json'), JSON.stringify(ruleSet));
    writeFileSync(join(folder, 'proof', 'cases.json'), '[]');
    workbench = await startWorkbench({ LEEWARD_CARRIERS: folder });
  });
  afterAll(async () => {
    await workbench?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('gives it where a rule needs it, sees a fault at the answer, and gets the verdict', async () => {
    const page = await workbench.openView(
      '#/home?state=tx&county=harris&policy_type=ho3&primary_wiring=knob+and+tube',
      {
        width: 1400,
        height: 1400,
      },
    );
    const date = page.getByLabel('Primary wiring: date of the evidence');
    await date.waitFor();
    await page.locator('.next-question button').click();
    expect(await page.evaluate('document.activeElement.id')).toMatch(/^home-primary_wiring-(as_of|source)$/);
    await page.getByLabel('Primary wiring: source').selectOption('electrician');
    await date.fill('2199-01-01');
    await page.locator('#home-primary_wiring-as_of-fault').filter({ hasText: 'in the future' }).waitFor();
    expect(await page.locator('#home-primary_wiring-fault').count()).toBe(0);
    await date.fill('2025-03');
    await expect.poll(() => page.locator('.counts').innerText()).toMatch(/1 eligible/);
    expect(page.url()).toContain('primary_wiring.as_of=2025-03');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page);
      expect(await overflow(page)).toBe(0);
    }
    await page.setViewportSize({ width: 390, height: 900 });
    expect(await overflow(page)).toBe(0);
  });
});
