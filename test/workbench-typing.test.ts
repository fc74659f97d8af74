import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Dialog, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from './support/chromium.ts';
import { workspace } from './support/running-leeward.ts';
import {
  expectAccessible,
  openAnswer,
  overflow,
  startWorkbench,
  tabTo,
  type Workbench,
} from './support/workbench-page.ts';

/** A home as a person types it, in the order of the form, as a request has it, and as the form shows it if that differs. */
const typed: readonly (readonly [field: string, keys: string, value: unknown, shown?: string])[] = [
  ['state', 'tx', 'tx'],
  ['county', 'harris', 'harris'],
  ['dwelling_a', '450,000', 450_000, '$450,000'],
  ['year_built', '1987', 1987],
  ['total_claims', '1', 1],
  ['water_heater_age', '8', 8],
  ['hvac_age', '9.0', 9, '9'],
  ['roof_age', '12', 12],
  ['roof_type', 'metal', 'metal'],
  ['lapse_in_coverage', '0', 0],
  ['no_prior', '0', 0],
  ['acreage', '.3', 0.3, '0.3'],
  ['protection_class', '3', 3],
  ['ownership', 'personal', 'personal'],
  ['usage', 'primary', 'primary'],
  ['primary_plumbing', 'copper', 'copper'],
  ['primary_wiring', 'copper', 'copper'],
  ['structure_type', 'single family', 'single family'],
  ['foundation_type', 'closed', 'closed'],
];

const declined =
  'state=tx&county=harris&policy_type=ho3&dwelling_a=285000&year_built=1987&structure_type=single+family&roof_type=3-tab+shingle&roof_age=22&primary_plumbing=copper&primary_wiring=copper&water_heater_age=8&hvac_age=9&protection_class=3&acreage=0.3&ownership=personal&usage=primary&total_claims=1&lapse_in_coverage=0&no_prior=0&foundation_type=closed';

/** A home with every answer that carriers test. Its county is that of its ZIP code. */
const insured =
  'state=fl&policy_type=ho3&address=1420+Larkspur+Ave,+Ocala,+FL+34471&dwelling_a=350000&year_built=2004&structure_type=single+family&construction=masonry&square_feet=1850&roof_type=metal&roof_age=6&primary_plumbing=copper&primary_wiring=copper&water_heater_age=5&hvac_age=5&protection_class=4&acreage=0.3&ownership=personal&usage=primary&total_claims=0&lapse_in_coverage=0&no_prior=0&foundation_type=closed';
/** Fields of the quote after the date, as a person types them. */
const answers = [
  ['first_name', 'Dana'],
  ['last_name', 'Whitfield'],
  ['insured_email', 'dana@example.com'],
  ['insured_date_of_birth', '04021979'],
  ['insured_phone', '813-555-0142'],
  ['phone_type', 'mobile'],
  ['occupancy', 'owner occupied'],
  ['roof_shape', 'hip'],
] as const;

const dollarsOf = (text: string) => Number(text.replace(/[$,]/g, ''));

describe.skipIf(!hasChromium)('a person who types', () => {
  let workbench: Workbench;
  beforeAll(async () => {
    workbench = await startWorkbench();
  });
  afterAll(async () => workbench?.stop());

  const focusedId = (page: Page) => page.evaluate('document.activeElement.id');
  const isBusy = (page: Page) => page.locator('#verdicts-title').locator('xpath=..').getAttribute('aria-busy');
  /** Single keys, sent without a pause: a list forgets the letters that were typed a second before. */
  const pressKeys = ({ keyboard }: Page, keys: string) =>
    Promise.all([...keys].map((key) => keyboard.press(key === ' ' ? 'Space' : key)));
  /** On a narrow screen the answers come first, and the fields are folded. */
  const openFields = async (page: Page) => {
    await page.locator('.verdict').first().waitFor();
    expect(await page.locator('#home-state').isVisible()).toBe(false);
    await tabTo(page, /^Answers about the home/);
    await page.keyboard.press('Enter');
    await page.locator('#home-state').waitFor();
  };
  const countsOf = async (home: object) => {
    const answer = await workbench.demo.post('/v1/underwrite/home', home);
    return ((await answer.json()) as { counts: Record<string, number> }).counts;
  };
  const expectCounts = (page: Page, counts: Record<string, number>) => {
    const shown = async () =>
      Object.fromEntries(
        [...(await page.locator('.counts').innerText()).matchAll(/([\d,]+) ([a-z ]+)/g)].map(([, count, status]) => [
          status!.trim().replaceAll(' ', '_'),
          Number(count!.replaceAll(',', '')),
        ]),
      );
    return expect.poll(shown).toEqual(Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)));
  };

  it.each([
    [1400, 'light'],
    [360, 'dark'],
  ] as const)('fills a whole home with one Tab for each field, at %i pixels in the %s', async (width, colorScheme) => {
    const page = await workbench.openView('#/home', { width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page, true);
    await tabTo(page, 'home-state');
    for (const [place, [field, keys]] of typed.entries()) {
      expect(await focusedId(page)).toBe(`home-${field}`);
      await pressKeys(page, keys);
      // Some answers come while the field has the keyboard, some after it was left.
      if (place % 2 === 0) await expect.poll(() => isBusy(page)).toBe('false');
      expect([field, await page.locator(`#home-${field}`).inputValue()]).toEqual([field, keys]);
      await page.keyboard.press('Tab');
      if (field === 'dwelling_a') await expectAccessible(page, true);
    }
    expect(await focusedId(page)).toBe('home-distance_to_coast_miles');
    for (const [field, keys, , shown = keys] of typed)
      expect(await page.locator(`#home-${field}`).inputValue()).toBe(shown);
    await expectCounts(page, await countsOf(Object.fromEntries(typed.map(([field, , value]) => [field, value]))));
    expect(await overflow(page)).toBe(0);
    await expectAccessible(page, true);
    await workbench.leave(page);
  });

  it('lists losses by keyboard, distinguishes none from not known, and sees a fault at its answer', async () => {
    const home = { state: 'tx', county: 'harris', policy_type: 'ho3', total_claims: undefined };
    const page = await workbench.openView('#/home?state=tx&county=harris&policy_type=ho3&losses=[]', {
      width: 360,
      height: 800,
    });
    await expectCounts(page, await countsOf({ ...home, losses: [] }));
    await openFields(page);
    await page.getByRole('checkbox', { name: 'no losses' }).uncheck();
    await expectCounts(page, await countsOf(home));
    await tabTo(page, 'home-losses');
    await page.keyboard.press('Enter');
    for (const [field, keys] of [
      ['kind', 'water'],
      ['date', '3/14/2025'],
      ['amount', '$12,000'],
      ['status', 'closed'],
      ['weather', 'n'],
    ]) {
      await expect.poll(() => focusedId(page)).toBe(`home-losses-0-${field}`);
      await pressKeys(page, keys!);
      await page.keyboard.press('Tab');
    }
    const losses = [{ kind: 'water', date: '2025-03-14', amount: 12_000, status: 'closed', weather: false }];
    await expectCounts(page, await countsOf({ ...home, losses }));
    await tabTo(page, 'home-losses');
    await page.keyboard.press('Enter');
    await expect.poll(() => focusedId(page)).toBe('home-losses-1-kind');
    await page.locator('#home-losses-1-date').fill('last spring');
    await page
      .locator('#home-losses-1-date-fault')
      .getByText(/^Date is "last spring"; give a date/)
      .waitFor();
    expect(await overflow(page)).toBe(0);
    await expectAccessible(page);
    await page.locator('#home-losses-1-date').fill('Mar 2026');
    await expectCounts(page, await countsOf({ ...home, losses: [...losses, { date: '2026-03' }] }));
    // Without its last loss, the list is unknown again, not empty.
    for (const name of ['Remove loss 2', 'Remove loss 1']) {
      await tabTo(page, new RegExp(`^${name}$`), 'Shift+Tab');
      await page.keyboard.press('Enter');
      await expect.poll(() => focusedId(page)).toBe('home-losses');
    }
    await expectCounts(page, await countsOf(home));
    await workbench.leave(page);
  });

  it('answers an address in one line, filters and opens answers, and tries one change for several carriers', async () => {
    for (const [width, colorScheme] of [
      [1400, 'dark'],
      [360, 'light'],
    ] as const) {
      const page = await workbench.openView('#/home', { width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await tabTo(page, 'home-address');
      await pressKeys(page, '1420 Larkspur Ave, Ocala, FL 34471');
      // The service reads the state and the county.
      await expect.poll(() => page.locator('#home-state').inputValue()).toBe('fl');
      await tabTo(page, 'home-policy_type');
      await pressKeys(page, 'ho3');
      const home = { state: 'fl', address: '1420 Larkspur Ave, Ocala, FL 34471', policy_type: 'ho3' };
      await expectCounts(page, await countsOf(home));
      expect(await page.locator('#home-county').getAttribute('placeholder')).toBe('marion (by ZIP)');
      await expectAccessible(page);
      // A count is a filter.
      const answers = page.locator('.verdict');
      const { needs_information: open = 0, ineligible = 0, not_offered: absent = 0 } = await countsOf(home);
      await expect.poll(() => answers.count()).toBe(open + ineligible);
      const filter = page.getByRole('button', { name: new RegExp(`^${open} needs information$`) });
      await tabTo(page, new RegExp(`${open} needs information$`));
      await page.keyboard.press('Space');
      await expect.poll(() => answers.count()).toBe(open);
      expect(await filter.getAttribute('aria-pressed')).toBe('true');
      await expectAccessible(page);
      await page.keyboard.press('Space');
      await expect.poll(() => answers.count()).toBe(open + ineligible);
      await tabTo(page, 'answers-text');
      const name = (await answers.nth(1).getByRole('heading').innerText()).trim();
      await pressKeys(page, name.split(' HO3')[0]!);
      await expect.poll(() => answers.count()).toBe(1);
      await openAnswer(page, new RegExp(`^${name}`));
      await answers.getByText('Rules behind it').waitFor();
      await expectAccessible(page);
      // Each carrier that is not offered is named with the reason.
      await tabTo(page, /^Not offered/);
      await page.keyboard.press('Enter');
      await page.getByText(`No HO3 program in Florida: ${absent}`).waitFor();
      expect(await overflow(page)).toBe(0);
      await page.goto(`${workbench.demo.url}/#/home?state=wy&policy_type=ho3`);
      await page.getByText('No carrier writes HO3 in Wyoming.').waitFor();
      await page.getByText('No HO3 program in Wyoming: 25').waitFor();
      await expectAccessible(page);
      await workbench.leave(page);
    }
    const page = await workbench.openView(`#/home?${declined}`);
    const common = page.getByRole('region', { name: 'One change, more carriers' });
    const best = common.getByRole('listitem').first();
    const gain = Number(/\+(\d+) carriers/.exec(await best.innerText())![1]);
    const home = Object.fromEntries(new URLSearchParams(declined));
    const before = (await countsOf(home))['eligible']!;
    expect(await page.evaluate(`document.querySelector('.verdict').getBoundingClientRect().bottom < innerHeight`)).toBe(
      true,
    );
    await tabTo(page, /^Try it for /);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: `${before + gain} eligible` }).waitFor();
    await workbench.leave(page);
  });

  it('keeps every field in place for all answers', async () => {
    const page = await workbench.openView('#/home');
    const places = () =>
      page
        .locator('.home-form :is(input, select)')
        .evaluateAll((all: readonly { getBoundingClientRect(): { readonly top: number } }[]) =>
          all.map((field) => field.getBoundingClientRect().top),
        );
    const order = () =>
      page.locator('form input, form select').evaluateAll((all: readonly { id: string }[]) => all.map(({ id }) => id));
    const before = await order();
    await page.evaluate(`for (const field of document.querySelectorAll('form input, form select')) field.isOld = true`);
    await page.locator('#home-state').click();
    await pressKeys(page, 'fl');
    const next = page.getByRole('region', { name: 'Next question' }).getByRole('button');
    await next.waitFor();
    await page.locator('#home-total_claims').focus();
    const unmoved = await places();
    await pressKeys(page, '2');
    await expect.poll(() => isBusy(page)).toBe('false');
    expect(await places()).toEqual(unmoved);
    await page.getByRole('button', { name: 'Show an example' }).click();
    await page.getByRole('article').first().waitFor();
    expect(await order()).toEqual(before);
    expect(
      await page.evaluate(`[...document.querySelectorAll('form input, form select')].every(({ isOld }) => isOld)`),
    ).toBe(true);
    await workbench.leave(page);
  });

  it('writes money as people do, and a roof age whose roof type is unknown', async () => {
    const page = await workbench.openView('#/home');
    await page.locator('#home-state').click();
    await pressKeys(page, 'tx');
    for (const [text, value] of [
      ['$450,000', 450_000],
      ['450000.00', 450_000],
      ['0.45 million', 450_000],
      [' 62,500 ', 62_500],
    ] as const) {
      await page.locator('#home-dwelling_a').fill('');
      await page.locator('#home-dwelling_a').focus();
      await pressKeys(page, text);
      await expectCounts(page, await countsOf({ state: 'tx', dwelling_a: value }));
    }
    await page.locator('#home-roof_age').focus();
    await pressKeys(page, '45');
    await page.locator('#home-roof_type-missing').getByText('Needed with the age of the roof.').waitFor();
    await expect.poll(() => isBusy(page)).toBe('false');
    expect(await page.getByRole('alert').count()).toBe(0);
    await expectCounts(page, await countsOf({ state: 'tx', dwelling_a: 62_500 }));
    await page.keyboard.press('Tab');
    await pressKeys(page, 'metal');
    await page.locator('#home-roof_type-missing').waitFor({ state: 'detached' });
    await expectCounts(page, await countsOf({ state: 'tx', dwelling_a: 62_500, roof_age: 45, roof_type: 'metal' }));
    // Unknown values have a separate wording in messages. The tests behind a message name what is not given.
    const messages = await page.locator('.verdict .reason').allInnerTexts();
    expect(messages.length).toBeGreaterThan(0);
    expect(messages.join('\n')).not.toContain('not given');
    await workbench.leave(page);
  });

  it.each([
    [1400, 'dark'],
    [360, 'light'],
  ] as const)(
    'keeps the ways out of a decline while the next answer is on its way, and turns it into a yes, at %i pixels',
    async (width, colorScheme) => {
      const page = await workbench.openView(`#/home?${declined}`, { width, height: 800 });
      await page.emulateMedia({ colorScheme });
      const card = page
        .getByRole('article')
        .filter({ has: page.locator('header .status-ineligible') })
        .filter({ has: page.locator('.way-out') })
        .first();
      await card.waitFor();
      const name = (await card.getByRole('heading', { level: 3 }).innerText()).trim();
      await openAnswer(page, new RegExp(`^${name}`));
      const shown = page.getByRole('article', { name });
      await expectAccessible(page, true);
      if (width < 700) await openFields(page);
      const way = shown.getByRole('button', { name: /^Try it/ }).first();
      await way.evaluate((button: { isSame?: boolean }) => {
        button.isSame = true;
      });
      const held = Promise.withResolvers<void>();
      await page.route('**/v1/underwrite/**', async (route) => {
        await held.promise;
        await route.continue();
      });
      await tabTo(page, 'home-acreage', 'Shift+Tab');
      await page.keyboard.press('End');
      await page.evaluate(`{
      globalThis.vanished = 0;
      new MutationObserver(() => {
        if (![...document.querySelectorAll('.ways button')].some(({ isSame }) => isSame)) globalThis.vanished++;
      }).observe(document.body, { childList: true, subtree: true });
    }`);
      await pressKeys(page, '25');
      await expect.poll(() => way.getAttribute('aria-disabled')).toBe('true');
      // It is of the answer before: nothing happens yet.
      await way.dispatchEvent('click');
      expect(await page.locator('#home-roof_age').inputValue()).toBe('22');
      held.resolve();
      await expect.poll(() => way.getAttribute('aria-disabled')).toBe('false');
      expect(await page.evaluate('vanished')).toBe(0);
      const becomes = (await way.locator('xpath=..').locator('.status').innerText()).split('\n').at(-1)!;
      await tabTo(page, new RegExp(`^Try it with ${name.split(' HO')[0]}`));
      await page.keyboard.press('Enter');
      await shown.locator('header .status').filter({ hasText: becomes }).waitFor();
      expect(await overflow(page)).toBe(0);
      await expectAccessible(page, true);
      await workbench.leave(page);
    },
  );

  it.each([
    [1280, 'dark'],
    [360, 'light'],
  ] as const)(
    'quotes two carriers in one form, asks what one option costs and proposes, at %i pixels',
    async (width, colorScheme) => {
      const page = await workbench.openView(`#/home?${insured}`, { width, height: 800 });
      await page.emulateMedia({ colorScheme });
      // Eligible carriers are ticked.
      for (const carrier of ['Sawpalm Home', 'Sunreach Property'])
        await expect.poll(() => page.getByLabel(`Quote ${carrier} HO3`).isChecked()).toBe(true);
      await page
        .getByText(/^about \$[\d,]+ a year, indication/)
        .first()
        .waitFor();
      for (const other of await page.locator('.pick').allInnerTexts()) {
        if (/Sawpalm|Sunreach/.test(other)) continue;
        await tabTo(page, new RegExp(`^${other.trim()}$`));
        await page.keyboard.press('Space');
      }
      expect(await overflow(page)).toBe(0);
      await expectAccessible(page, true);
      await tabTo(page, /^Quote these 2$/);
      await page.keyboard.press('Enter');
      await page.getByText('2 carriers, 1 form type').waitFor();
      // The form has no field for an answer of the home.
      const asked = page.locator('form fieldset :is(input:not([type=checkbox]), select)');
      expect(
        await asked.evaluateAll((inputs: readonly { readonly id: string }[]) => inputs.map(({ id }) => id)),
      ).toEqual(
        ['product', 'effective_date', ...answers.map(([name]) => name), 'producer'].map((name) => `quote-${name}`),
      );
      await expectAccessible(page, true);
      await tabTo(page, 'quote-effective_date');
      await pressKeys(page, '12012026');
      for (const [name, keys] of answers) {
        await tabTo(page, `quote-${name}`);
        await pressKeys(page, keys);
      }
      await tabTo(page, /^Get quotes$/);
      await page.keyboard.press('Enter');
      const ended = page.getByRole('status').getByText('2 answers: 2 with a premium, 0 without.');
      await ended.waitFor();
      await page.getByRole('heading', { level: 1, name: '1420 Larkspur Ave, Ocala, FL 34471' }).waitFor();
      expect(await overflow(page)).toBe(0);
      await expectAccessible(page, true);
      const totals = async () => (await page.locator('.total :is(td, dd)').allInnerTexts()).map(dollarsOf);
      const before = await totals();
      expect(before.length).toBe(2);
      // A higher deductible, by keyboard.
      await tabTo(page, /^Percent of Coverage A$/);
      await pressKeys(page, '5%');
      await page.keyboard.press('Enter');
      await page.getByText('earlier quote').waitFor();
      await ended.waitFor();
      await expect.poll(async () => (await totals()).length).toBe(2);
      for (const [index, total] of (await totals()).entries()) expect(total).toBeLessThan(before[index]!);
      await tabTo(page, /^Open the proposal$/);
      const [proposal] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('Enter')]);
      await proposal.getByRole('heading', { level: 1, name: 'Palmetto Coast Agency' }).waitFor();
      await proposal.getByText('5 % ($17,500)').first().waitFor();
      expect(await proposal.getByRole('row', { name: 'Total a year' }).getByRole('cell').allInnerTexts()).toHaveLength(
        2,
      );
      await proposal.close();
      await workbench.leave(page);
    },
  );

  it('undoes opening another rule set, confirms before the edit is lost, and keeps it across views', async () => {
    const page = await workbench.openView('#/rules');
    const asked: string[] = [];
    let answer: 'accept' | 'dismiss' = 'dismiss';
    page.on('dialog', (dialog: Dialog) => {
      asked.push(dialog.type());
      void dialog[answer]();
    });
    const path = join(workspace, 'fixtures/carriers/brackish_bay/rule-set.json');
    await page.locator('#rules-file').setInputFiles(path);
    await page.getByRole('heading', { name: 'Findings' }).waitFor();
    const editor = page.getByRole('textbox', { name: 'Rule set' });
    const text = () => editor.innerText();
    const opened = await text();
    // Without edits there is no confirmation.
    await page.getByRole('button', { name: 'New rule set' }).click();
    await expect.poll(text).toContain('new_carrier');
    await page.locator('#rules-file').setInputFiles(path);
    await expect.poll(text).toBe(opened);
    expect(asked).toEqual([]);

    await editor.focus();
    await page.keyboard.press('Control+Home');
    await pressKeys(page, '  ');
    const edited = await text();
    expect(edited).not.toBe(opened);
    const effects = page.getByRole('region', { name: 'Effects of this edit' });
    await effects.waitFor();
    for (const open of [
      () => page.getByRole('button', { name: 'New rule set' }).click(),
      () => page.locator('#rules-file').setInputFiles(path),
      async () => {
        await page.locator('#rules-served').selectOption({ index: 1 });
        await page.locator('#rules-served-take').click();
      },
    ]) {
      await open();
      await expect.poll(text).not.toBe(edited);
      await effects.waitFor({ state: 'detached' });
      await editor.focus();
      await page.keyboard.press('Control+z');
      await expect.poll(text).toBe(edited);
      // The file of the text is back too.
      await effects.waitFor();
    }
    expect(asked).toEqual([]);
    for (const discard of [
      () => page.getByRole('button', { name: 'Sign out' }).click(),
      () => page.evaluate('setTimeout(() => location.reload())'),
    ]) {
      const before = asked.length;
      await discard();
      await expect.poll(() => asked.length).toBe(before + 1);
      expect(await text()).toBe(edited);
    }
    expect(asked).toEqual(['confirm', 'beforeunload']);

    // Another view discards nothing, not even what can be undone.
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await page.getByRole('heading', { name: 'Who takes this home?' }).waitFor();
    await page.getByRole('link', { name: 'Rule set' }).click();
    await expect.poll(text).toBe(edited);
    await editor.focus();
    await page.keyboard.press('Control+z');
    await expect.poll(text).toBe(opened);
    await page.keyboard.press('Control+y');
    await expect.poll(text).toBe(edited);

    // Findings of the last text without errors stay while one types.
    await pressKeys(page, '!');
    await page.getByRole('region', { name: 'Findings' }).getByText('For the last text without errors').waitFor();
    await page.keyboard.press('Backspace');
    await page.getByRole('region', { name: 'Findings' }).getByText('For the last text').waitFor({ state: 'detached' });

    answer = 'accept';
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Access token', { exact: true }).waitFor();
    await workbench.leave(page);
  });

  it('confirms before discarding edits of a comparison', async () => {
    const page = await workbench.openView('#/compare');
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.message());
      void dialog.dismiss();
    });
    const path = join(workspace, 'fixtures/carriers/brackish_bay/rule-set.json');
    const other = {
      name: 'newer.json',
      mimeType: 'application/json',
      buffer: Buffer.from(readFileSync(path, 'utf8').replace('"version": "', '"version": "next ')),
    };
    await page.locator('#compare-older-file').setInputFiles(path);
    await page.locator('#compare-newer-file').setInputFiles(other);
    await page.getByRole('status').getByText('1 place differs').waitFor();
    await page.getByRole('button', { name: 'Restore this part' }).click();
    await page.getByRole('status').getByText('Both texts are the same').waitFor();
    await page.locator('#compare-newer-file').setInputFiles(other);
    await expect.poll(() => asked).toEqual(['newer.json has edits that are not saved. Discard them?']);
    await page.getByRole('status').getByText('Both texts are the same').waitFor();
    await workbench.leave(page);
  });

  // Last: of all pages above.
  it('keeps to the policy and calls only the service', () => {
    expect(workbench.elsewhere).toEqual([]);
    expect(workbench.said).toEqual([]);
  });
});
