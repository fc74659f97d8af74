import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCatalog } from '@leeward/engine';
import { createKeyHolder, createLeeward } from '@leeward/http';
import { wordOf } from '@leeward/terms';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from './support/chromium.ts';
import { runLeewardHere } from './support/leeward-here.ts';
import { auto, autoCarrier } from './support/lines/auto-line.ts';
import { workspace } from './support/running-leeward.ts';
import { smallCoastline } from './support/small-coastline.ts';
import { testVolume } from './support/test-volume.ts';
import {
  chooseFile,
  expectAccessible,
  expectFocus,
  expectNarrow,
  expectNextQuestion,
  goTo,
  openAnswer,
  overflow,
  picture,
  signInByLink,
  startWorkbench,
  tabTo,
  type Workbench,
} from './support/workbench-page.ts';
import { writePageBook } from './support/write-page-book.ts';

/** 100,000 in the nightly run. */
const policies = testVolume(5000);

/** Eligible with carriers that the demo's team is not appointed with. */
const texanHome = {
  ...{ state: 'tx', county: 'harris', policy_type: 'ho3', dwelling_a: '420000', year_built: '2004', roof_age: '9' },
  ...{ structure_type: 'single family', roof_type: 'tile', primary_plumbing: 'copper', primary_wiring: 'copper' },
  ...{ water_heater_age: '8', hvac_age: '9', protection_class: '3', acreage: '0.3', ownership: 'personal' },
  ...{ usage: 'primary', total_claims: '1', lapse_in_coverage: '0' },
};

describe.skipIf(!hasChromium)('views of the workbench', () => {
  let workbench: Workbench;
  /**
   * Requests a home with a place, which only the service can evaluate. It stays unanswered while the other tests run.
   */
  let unanswered: Page;
  const folder = mkdtempSync(join(tmpdir(), 'leeward-views-'));
  beforeAll(async () => {
    workbench = await startWorkbench({ ...smallCoastline, LEEWARD_LINES: 'home,condo,flood' });
    unanswered = await workbench.openView('#/home');
    await unanswered.route('**/v1/underwrite/**', () => {});
    await unanswered.getByLabel('State').fill('fl');
    await unanswered.getByLabel('Address').fill('<b>1600</b> Ocean Dr, Miami Beach FL 33139');
    await unanswered.getByLabel('County').fill('miami-dade');
  });
  afterAll(async () => {
    await workbench?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it(`evaluate a book of ${policies} in the page, as leeward book run does`, async () => {
    const path = join(folder, 'book.csv');
    writeFileSync(path, writePageBook(policies));
    const command = ['book', 'run', path, '--json', '--reasons', '--effective-date', '2026-11-20'];
    const carriers = ['--carriers', join(workspace, 'fixtures/carriers')];
    const page = await workbench.openView('#/book');
    await page.getByRole('region', { name: 'A book to evaluate' }).waitFor();
    await page.getByLabel('Effective date').fill('2026-11-20');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await tabTo(page, 'book-file');
    await page.locator('#book-file').setInputFiles(path);
    const [{ output }] = await Promise.all([
      runLeewardHere([...command, ...carriers]).ended,
      page.getByRole('status').getByText('policies evaluated for 25 carriers').waitFor(),
    ]);
    // The page's worker program comes from the service; no part of the book was sent.
    expect(asked.filter((url) => !url.includes('/workbench/'))).toEqual([]);
    interface Counts {
      readonly [status: string]: number;
    }
    const report = JSON.parse(output) as {
      rows: number;
      rejected: number;
      carriers: { carrier_key: string; counts: Counts }[];
      by_state: Record<string, Counts>;
      by_reason: Record<string, number>;
    };
    const words = await page.getByRole('status').innerText();
    expect(words).toContain(`${report.rejected} of ${report.rows.toLocaleString('en-US')} rows rejected`);
    /** A table of the page, by its rows’ names and its columns’. */
    const table = async (name: string) => {
      // One query for all rows: querying a single row searches all of them.
      const rows = page.getByRole('table', { name }).getByRole('row');
      const [head = [], ...body] = await rows.evaluateAll(
        (found: readonly { readonly cells: Iterable<{ readonly innerText: string }> }[]) =>
          found.map(({ cells }) => Array.from(cells, ({ innerText }) => innerText)),
      );
      return Object.fromEntries(
        body.map(([label, , ...numbers]) => [
          label!,
          Object.fromEntries(
            numbers.map((text, index) => [
              head[index + 2]!.replace(/^\W+/, '').toLowerCase().replaceAll(' ', '_'),
              Number(text.replaceAll(',', '')),
            ]),
          ),
        ]),
      );
    };
    const shown = (counts: Counts) => expect.objectContaining(nonZero(counts));
    const nonZero = (counts: Counts) => Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
    const byCarrier = await table('By carrier');
    for (const { carrier_key, counts } of report.carriers)
      expect(byCarrier[nameOf(carrier_key)]).toEqual(shown(counts));
    const byState = await table('By state');
    for (const [state, counts] of Object.entries(report.by_state))
      expect(byState[state.toUpperCase()]).toEqual(shown(counts));
    const byReason = await table('Why carriers decline');
    expect(Object.fromEntries(Object.entries(byReason).map(([code, row]) => [code, Object.values(row)[0]]))).toEqual(
      Object.fromEntries(Object.entries(report.by_reason).map(([code, count]) => [wordOf('reason', code), count])),
    );
    await picture(page, 'book');
    // Rejected rows are named, and markup in a cell stays text.
    await page.getByText('Rejected rows', { exact: true }).click();
    await page.getByText('<img src=x onerror=alert(1)>').first().waitFor();
    expect(await page.locator('img').count()).toBe(0);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download statuses' }).click(),
    ]);
    const lines = readFileSync(await file.path(), 'utf8')
      .trimEnd()
      .split('\n');
    expect([file.suggestedFilename(), lines.length]).toEqual(['book.statuses.csv', policies + 1]);
    await expectAccessible(page);
    await expectNarrow(page);
    // Results remain after a visit to another view; an invalid book is refused by name.
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await page.getByRole('link', { name: 'Book' }).click();
    await page.getByRole('button', { name: 'Download statuses' }).waitFor();
    // A misspelled column is guessed, and kept for the next book of the tab.
    const misspelled = {
      name: '<b>book</b>.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('state,policy_type,year_bilt\nfl,ho3,2004\n'),
    };
    await page.locator('#book-file').setInputFiles(misspelled);
    await page.getByRole('heading', { name: '3 of 3 columns recognized' }).waitFor();
    await page.getByText('<b>book</b>.csv. Check what each column is.').waitFor();
    await page.getByRole('button', { name: 'Check the book' }).click();
    await page.getByRole('heading', { name: '<b>book</b>.csv' }).waitFor();
    await page.locator('#book-file').setInputFiles(misspelled);
    await page.getByRole('status').getByText('1 policy evaluated').waitFor();
    await page.locator('#book-file').setInputFiles({ ...misspelled, buffer: Buffer.from('PAR1 is cut') });
    await page.getByRole('alert').getByText('<b>book</b>.csv was not evaluated').waitFor();
    await page.getByRole('button', { name: 'Choose its columns' }).waitFor();
    await expectAccessible(page);
    await workbench.leave(page);
  });

  it.each([360, 1400])(
    'read a book of an agency system by its guessed columns and keyboard alone, at %i pixels',
    async (width) => {
      const page = await workbench.openView('#/book', { width, height: 740 });
      const press = async (key: string, times = 1) => {
        for (let time = 0; time < times; time++) await page.keyboard.press(key);
      };
      await page.getByRole('region', { name: 'A book to evaluate' }).waitFor();
      const agency = [
        'Policy Number,Agent,Risk State,County,Eff Date,Coverage A,Year Built,Roof Age,Roof Material,Claims,Sq Ft,Kind',
        'HO-1001,<b>Rivera</b>,FL,Broward,12/1/2026,"$450,000",2004,9 yrs,Tile,0,"2,150",3',
        'HO-1002,Okafor,TX,Travis,12/15/2026,"$285,000.00",1987,22,3-Tab Shingle,1,"1,800 sq ft",3',
        'HO-1003,Okafor,FL,Miami-Dade,1/1/2027,"$620,000",1999,N/A,,0,n/a,3',
      ];
      // As the service evaluates these homes.
      const homes = [
        ['fl', 'broward', '2026-12-01', 450000, 2004, 9, 'tile', 0, 2150],
        ['tx', 'travis', '2026-12-15', 285000, 1987, 22, '3-tab shingle', 1, 1800],
        ['fl', 'miami-dade', '2027-01-01', 620000, 1999, null, null, 0, null],
      ].map(
        ([state, county, effective_date, dwelling_a, year_built, roof_age, roof_type, total_claims, square_feet]) => ({
          ...{ state, county, effective_date, dwelling_a, year_built, roof_age, roof_type, total_claims, square_feet },
          policy_type: 'ho3',
        }),
      );
      const placements = await Promise.all(
        homes.map(async (home) => {
          const answer = (await (await workbench.demo.post('/v1/underwrite/home', home)).json()) as {
            counts: Record<string, number>;
          };
          const { eligible = 0, referral = 0, needs_information = 0 } = answer.counts;
          return eligible + referral > 0
            ? 'have a carrier'
            : needs_information > 0
              ? 'could have one'
              : 'lack a carrier';
        }),
      );
      await chooseFile(page, 'book-file', {
        name: 'agency.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(agency.join('\n')),
      });
      await page.getByRole('heading', { name: '9 of 12 columns recognized' }).waitFor();
      await expectFocus(page);
      const preview = page.getByRole('region', { name: 'The first rows', exact: true });
      await preview.getByText('$285,000').waitFor();
      expect(await overflow(page)).toBe(0);
      await expectAccessible(page, true);
      // Without a column of forms, one value is for every policy.
      await page.getByRole('status').getByText('Choose the column of the form').waitFor();
      await tabTo(page, 'every-policy_type');
      await page.keyboard.type('HO3');
      await preview.getByText('Rejected').waitFor({ state: 'detached' });
      // A column that is of no use is left out.
      await tabTo(page, 'column-11', 'Shift+Tab');
      await page.keyboard.type('Leave out');
      await tabTo(page, /^Check the book$/);
      await press('Enter');
      await page.getByRole('status').getByText('3 policies evaluated').waitFor();
      await page.getByText('Answers that would settle most policies').waitFor();
      expect(await overflow(page)).toBe(0);
      for (const words of ['have a carrier', 'could have one', 'lack a carrier']) {
        const numbers = agency.slice(1).flatMap((line, row) => (placements[row] === words ? [line.slice(0, 7)] : []));
        const button = page.getByRole('button', { name: words });
        expect(await button.innerText()).toContain(`${numbers.length} polic`);
        if (numbers.length === 0) continue;
        await tabTo(page, new RegExp(words), 'Shift+Tab');
        await press('Enter');
        const list = page.getByRole('region', { name: `Policies that ${words}` });
        await list.getByText(numbers[0]!).waitFor();
        await expectFocus(page);
        expect(await list.getByRole('rowheader').count()).toBe(numbers.length);
        await tabTo(page, /^Download th/);
        const [file] = await Promise.all([page.waitForEvent('download'), press('Enter')]);
        const lines = readFileSync(await file.path(), 'utf8')
          .trimEnd()
          .split('\n');
        expect(lines[0]).toContain('row,policy_type,place,Policy Number,Agent,');
        expect(lines.slice(1).map((line) => line.split(',').find((cell) => cell.startsWith('HO-')))).toEqual(numbers);
      }
      expect(await page.locator('main b').count()).toBe(0);
      await expectAccessible(page, true);
      await workbench.leave(page);
    },
  );

  it('evaluate a home while typing, before the service is called, and in every county', async () => {
    // A view that needs the rules but draws no map: a map would draw all counties, as it does at the end.
    const page = await workbench.openView('#/book');
    await page.getByRole('region', { name: 'A book to evaluate' }).waitFor();
    await page.goto(`${workbench.demo.url}/#/home?state=tx&county=harris&policy_type=ho3&roof_type=metal&roof_age=5`);
    await page.getByRole('status').filter({ hasText: 'needs information' }).waitFor();
    // The rules are there: what is typed from now on is answered without the service, and as the service would.
    await page.route('**/v1/underwrite/**', () => {});
    await page.getByLabel('Age of the roof').fill('3');
    await expect
      .poll(() => page.locator('#verdicts-title').locator('xpath=..').getAttribute('aria-busy'))
      .toBe('false');
    const home = {
      state: 'tx',
      county: 'harris',
      policy_type: 'ho3',
      roof_type: 'metal',
      roof_age: 3,
      dwelling_a: 300000,
    };
    const answer = await workbench.demo.post('/v1/underwrite/home', home);
    const { counts } = (await answer.json()) as { counts: Record<string, number> };
    await page.getByLabel(/^Dwelling/).fill('300000');
    for (const name of ['ineligible', 'needs_information'] as const)
      await page
        .getByRole('status')
        .getByText(`${counts[name]} ${name.replace('_', ' ')}`)
        .waitFor();
    await page.unroute('**/v1/underwrite/**');

    await page.getByRole('link', { name: 'Appetite map' }).click();
    await page
      .getByRole('status')
      .getByText(/^Up to [1-9]\d* carriers could take it in 254 of 254 counties; [1-9]\d* answers are missing\.$/)
      .waitFor();
    // Unknown is not a decline: it has a separate shade.
    await expect.poll(() => page.locator('.county-map path.step-open').count()).toBe(254);
    await tabTo(page, 'appetite-value');
    await page.keyboard.press('End');
    await page.getByText('Age of the roof: 60 years').waitFor();
    await tabTo(page, 'appetite-county');
    await page.keyboard.type('Harris');
    const chosen = page.getByRole('region', { name: 'Harris County, TX' });
    await chosen.getByText('Ineligible').first().waitFor();
    const old = await workbench.demo.post('/v1/underwrite/home', { ...home, roof_age: 60 });
    const { declined } = (await old.json()) as { declined: { carrier: string; reasons: { message: string }[] }[] };
    for (const { carrier, reasons } of declined)
      await chosen.getByRole('listitem').filter({ hasText: carrier }).getByText(reasons[0]!.message).first().waitFor();
    await page.locator('.county-map path').first().waitFor();
    expect(await page.locator('.county-map path').count()).toBeGreaterThanOrEqual(254);
    await expectAccessible(page);
    await expectNarrow(page);
    // A home with all facts known, and the form's entries for its roof.
    await page.getByRole('button', { name: 'Value of the home' }).click();
    const words =
      'state=tx&policy_type=ho3&dwelling_a=285000&year_built=2005&structure_type=single+family&roof_type=metal&roof_age=8&primary_plumbing=copper&primary_wiring=copper&water_heater_age=8&hvac_age=9&protection_class=3&acreage=0.3&ownership=personal&usage=primary&total_claims=0&lapse_in_coverage=0&no_prior=0&foundation_type=closed&distance_to_coast_miles=30&distance_to_ocean_miles=30';
    await page.goto(`${workbench.demo.url}/#/home?${words}`);
    await page.getByRole('article').first().waitFor();
    await page.getByRole('link', { name: 'Appetite map' }).click();
    await page
      .getByRole('status')
      .getByText(
        /^(A carrier takes or refers|Up to [1-9]\d* carriers take or refer) this home in [1-9]\d* of 254 counties\./,
      )
      .waitFor();
    await page.locator('.county-map path[data-fips="48201"]').click();
    await chosen.getByText('Eligible').first().waitFor();
    await picture(page, 'appetite');
    await page.locator('#appetite-state').selectOption('');
    await page
      .getByRole('status')
      .getByText(/of 3,\d{3} counties/)
      .waitFor();
    // Only the visible ones of 80,000 cells are drawn.
    expect(await page.locator('.county-table td').count()).toBeLessThan(2500);
    await workbench.leave(page);
  });

  it('evaluate a home as soon as the rules are loaded, however slow the service is', async () => {
    const { demo } = workbench;
    const page = await workbench.openPage();
    const rules = Promise.withResolvers<void>();
    await page.route('**/v1/underwrite/**', () => {});
    await page.route('**/v1/rule-sets/**', async (route) => {
      await rules.promise;
      await route.continue();
    });
    await signInByLink(page, `${demo.url}/#token=${demo.keys.admin_token}`);
    await page.goto(`${demo.url}/#/home?state=tx&county=harris&policy_type=ho3`);
    await page.getByText('Asking the carriers …').waitFor();
    rules.resolve();
    await page.getByRole('status').filter({ hasText: 'needs information' }).waitFor();
    await workbench.leave(page);
  });

  it('set two versions side by side, and take one change over', async () => {
    const page = await workbench.openView('#/compare');
    const path = join(workspace, 'fixtures/carriers/brackish_bay/rule-set.json');
    const text = readFileSync(path, 'utf8');
    const edited = text
      .replace(/("fact": "total_claims",\s*"operator": "greaterThan",\s*"value": )6/, '$12')
      .replace('"version": "', '"version": "<b>next</b> ');
    await page.locator('#compare-older-file').setInputFiles(path);
    await page.locator('#compare-newer-file').setInputFiles({
      name: 'newer.json',
      mimeType: 'application/json',
      buffer: Buffer.from(edited),
    });
    await page.getByRole('status').getByText('2 places differ').waitFor();
    const changes = page.getByRole('region', { name: 'Homes with a different answer' });
    await changes.getByRole('listitem').filter({ hasText: 'Newly declined' }).first().waitFor();
    await expectAccessible(page);
    await picture(page, 'compare');
    await expectNarrow(page);
    await tabTo(page, 'compare-next');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Restore this part' }).click();
    await page.getByRole('status').getByText('1 place differs').waitFor();
    await page.getByRole('button', { name: 'Restore this part' }).click();
    await changes.getByText('No home gets a different answer').waitFor();
    // A version in force can be chosen as well, and an invalid rule set is reported. The edits above may be discarded.
    page.on('dialog', (dialog) => dialog.accept());
    await page.locator('#compare-older-served').selectOption({ label: 'Bayou Mutual 2025.1.1' });
    await page.locator('#compare-older-served-take').click();
    await page.getByRole('status').getByText('places differ').waitFor();
    await page.locator('#compare-newer-file').setInputFiles({
      name: 'none.json',
      mimeType: 'application/json',
      buffer: Buffer.from('<img src=x onerror=alert(1)>'),
    });
    await changes.getByText('is not a valid rule set').waitFor();
    expect(await page.locator('img').count()).toBe(0);
    await workbench.leave(page);
  });

  it('run cases as one types, complete what is ours, and list the rules of the text', async () => {
    const page = await workbench.openView('#/rules');
    const folderOf = join(workspace, 'fixtures/carriers/brackish_bay');
    await page.getByLabel('Open a file').setInputFiles(join(folderOf, 'rule-set.json'));
    await page.locator('#rules-cases-file').setInputFiles(join(folderOf, 'cases.json'));
    const all = (JSON.parse(readFileSync(join(folderOf, 'cases.json'), 'utf8')) as unknown[]).length;
    await page.getByText(`${all} of ${all} pass`).waitFor();
    const table = page.getByRole('region', { name: 'Rules', exact: true }).getByRole('table');
    await table.getByRole('button', { name: 'islands-photos', exact: true }).waitFor();
    await expectAccessible(page);
    await expectNarrow(page);
    const editor = page.getByRole('textbox', { name: 'Rule set' });
    // The answer to one cell arrives while the user types in the next.
    const message = (index: number) => table.getByRole('textbox', { name: /^Message of / }).nth(index);
    await message(0).press('End');
    await message(0).pressSequentially(' (one)');
    await message(0).press('Enter');
    await message(1).press('End');
    await message(1).pressSequentially(' (two)', { delay: 150 });
    await expect.poll(() => editor.innerText()).toContain(' (one)');
    expect(await message(1).inputValue()).toContain(' (two)');
    // Two edits in a row: the answer to the first writes the second.
    await message(1).press('Enter');
    await message(2).press('End');
    await message(2).pressSequentially(' (three)');
    await message(2).press('Enter');
    const id = (await message(2).getAttribute('aria-label'))!.slice('Message of '.length);
    await table.getByRole('button', { name: id, exact: true }).click();
    await expect.poll(() => editor.innerText()).toContain(' (three)');
    // A rule is duplicated, moved and deleted by keyboard; each is one step that can be undone.
    const before = await editor.innerText();
    const names = async () => (await table.getByRole('rowheader').allInnerTexts()).map((name) => name.split('\n')[0]);
    const order = await names();
    const place = order.indexOf('islands-photos');
    await tabTo(page, /^Duplicate: islands-photos$/);
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await names())[place + 1]).toBe('islands-photos-2');
    await tabTo(page, /^Up: islands-photos-2$/);
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await names())[place]).toBe('islands-photos-2');
    await tabTo(page, /^Delete: islands-photos-2$/);
    await page.keyboard.press('Enter');
    await expect.poll(names).toEqual(order);
    await tabTo(page, /^Undo$/, 'Shift+Tab');
    for (let step = 0; step < 3; step++) await page.keyboard.press('Enter');
    await expect.poll(() => editor.innerText()).toBe(before);
    // Words are chosen, not typed.
    const outcome = table.getByRole('combobox', { name: `Outcome of ${id}` });
    const chosen = await outcome.inputValue();
    await outcome.focus();
    await page.keyboard.type('Inform');
    await expect.poll(() => editor.innerText()).toContain('"inform"');
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.poll(() => outcome.inputValue()).toBe(chosen);
    const text = readFileSync(join(folderOf, 'rule-set.json'), 'utf8');
    const type = async (edited: string) => {
      await editor.focus();
      await page.keyboard.press('Control+a');
      await page.keyboard.insertText(edited);
    };
    // A roof of any age is referred: the contradicting case turns red at once.
    const edited = text.replaceAll('"outcome": "refer"', '"outcome": "decline"');
    expect(edited).not.toBe(text);
    await type(edited);
    await page
      .getByText(/expects status referral; the rules return ineligible/)
      .first()
      .waitFor();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('\n"fact": "total_c');
    // In the list: the page uses the words for rules as well.
    await page.getByRole('option', { selected: true }).getByText('Claims in five years').waitFor();
    // The editor ignores Enter for 75 ms after a list opens, so that fast typing selects nothing.
    await page.waitForTimeout(150);
    await page.keyboard.press('Enter');
    await expect.poll(() => editor.innerText()).toContain('"fact": "total_claims');
    await workbench.leave(page);
  });

  it('load without a failed request in every view, and offer only quotes that the service would request', async () => {
    const failed: string[] = [];
    const page = await workbench.openView(`#/home?${new URLSearchParams(texanHome)}`);
    page.on('response', (answer) => {
      if (answer.status() >= 400) failed.push(`${answer.status()} ${answer.url()}`);
    });
    await page.getByText('No quotes: your team is not appointed').first().waitFor();
    const rows = await page.getByRole('article').filter({ hasText: 'No quotes: ' }).all();
    for (const row of rows) expect(await row.getByRole('checkbox').count()).toBe(0);
    await expectAccessible(page, true);
    const links = await page.getByRole('navigation', { name: 'Views' }).getByRole('link').all();
    expect(links.length).toBe(7);
    for (const link of links) {
      // A reload requests again what other views share.
      await link.click();
      await page.reload();
      await page.waitForLoadState('networkidle');
    }
    expect(failed).toEqual([]);
    await workbench.leave(page);
  });

  it('keep typed text when the service is slow, broken or gone, and with files of ten megabytes', async () => {
    const page = unanswered;
    await page.getByRole('alert').getByText('The service is slow').waitFor();
    await page.unroute('**/v1/underwrite/**');
    await page.route('**/v1/underwrite/**', (route) =>
      route.fulfill({ status: 500, body: '<img src=x onerror=alert(1)>' }),
    );
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await page.getByRole('alert').getByText('The service answered 500').waitFor();
    expect(await page.getByLabel('Address').inputValue()).toBe('<b>1600</b> Ocean Dr, Miami Beach FL 33139');
    expect(await page.locator('img, b').count()).toBe(0);
    await page.unroute('**/v1/underwrite/**');
    await page.goto(`${workbench.demo.url}/#/rules`);
    // By their paths: through the driver, megabytes take it seconds.
    const big = join(folder, 'big.json');
    writeFileSync(big, Buffer.alloc(10_500_000, '['));
    await page.getByLabel('Open a file').setInputFiles(big);
    await page.getByRole('alert').getByText('a rule set has at most 10,000,000').waitFor();
    await page.goto(`${workbench.demo.url}/#/book`);
    const long = join(folder, 'long.csv');
    const open = `state,policy_type,x_note\nfl,ho3,"open\n${'x'.repeat(10_500_000)}`;
    writeFileSync(long, `${open}\nfl,ho3,\ud800<img src=x onerror=alert(1)>\ntx,ho3,last\n`);
    await page.locator('#book-file').setInputFiles(long);
    await page.getByRole('status').getByText('2 of 4 rows rejected').waitFor();
    await page.getByText('Rejected rows', { exact: true }).click();
    await page.getByText('is longer than').waitFor();
    expect(await page.locator('img').count()).toBe(0);
    const { said } = workbench;
    said.splice(0, said.length, ...said.filter((each) => !/status of 500/.test(each)));
    await workbench.leave(page);
  });

  it('ask for a quote, follow it to its end and set its rates side by side', async () => {
    const page = await workbench.openView('#/quotes');
    await page.getByRole('status').getByText('No quotes yet.').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'New quote' }).click();
    await page.getByRole('button', { name: 'Get quotes' }).click();
    // Missing values are named at their fields, and typed text is kept.
    await page.getByRole('alert').waitFor();
    expect(await page.locator('[aria-invalid="true"]').count()).toBeGreaterThan(10);
    await page.locator('#quote-construction_type_options-fault').getByText('Construction is required.').waitFor();
    expect(await page.getByRole('main').innerText()).not.toMatch(/[a-z]_[a-z]/);
    await page.getByRole('button', { name: 'Fill with examples' }).click();
    await page.getByLabel('Last name').fill('<img src=x onerror=alert(1)>');
    await expectAccessible(page);
    await expectNarrow(page);
    const streams: string[] = [];
    page.on('response', (answer) => {
      if (answer.url().endsWith('/events')) streams.push(answer.headers()['content-type'] ?? '');
    });
    // After a lost answer the repeated request calls no carrier twice.
    const created: string[] = [];
    await page.route('**/api/v1/quote/request', async (route) => {
      const answer = await route.fetch();
      created.push(((await answer.json()) as { quote_request_id: string }).quote_request_id);
      if (created.length === 1) await route.abort();
      else await route.fulfill({ response: answer });
    });
    await page.getByRole('button', { name: 'Get quotes' }).click();
    await page.getByRole('alert').getByText('out of reach').waitFor();
    expect(await page.getByLabel('Last name').inputValue()).toBe('<img src=x onerror=alert(1)>');
    await page.getByRole('button', { name: 'Get quotes' }).click();
    await page
      .getByRole('status')
      .getByText(/answers: /)
      .waitFor();
    expect(new Set(created).size).toBe(1);
    expect(streams.map((type) => type.split(';')[0])).toEqual(['text/event-stream']);
    const status = await (
      await fetch(`${workbench.demo.url}/api/v1/quote/${created[0]}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${workbench.demo.keys.team_token}`, 'content-type': 'application/json' },
        body: '{}',
      })
    ).json();
    const { counts } = status as { counts: { success: number; error: number } };
    await page.getByRole('status').getByText(`${counts.success} with a premium, ${counts.error} without`).waitFor();
    // The home is the title, and each form type has separate tables.
    await page.getByRole('heading', { level: 1, name: '1420 Larkspur Ave, Ocala, FL 34471' }).waitFor();
    const rates = page.locator('table.rates thead th.number');
    expect(await rates.count()).toBe(counts.success);
    await page.getByText('Not like for like. They differ in: ').first().waitFor();
    await page
      .locator('#quote-not-called')
      .locator('..')
      .getByText('your team is not appointed in this state')
      .first()
      .waitFor();
    const rows = () => page.locator('table.rates tbody tr').count();
    const different = await rows();
    await page.getByLabel('Differences only').uncheck();
    await expect.poll(rows).toBeGreaterThan(different);
    expect(await page.locator('img').count()).toBe(0);
    await expectAccessible(page);
    await picture(page, 'quotes');
    await expectNarrow(page);
    // At 360 pixels each rate is a card.
    await page.setViewportSize({ width: 360, height: 800 });
    await expect.poll(() => page.locator('article.rate-card').count()).toBe(counts.success);
    await expectAccessible(page);
    await page.setViewportSize({ width: 1400, height: 900 });
    // The list finds it again; the filter by status leaves it out.
    await page.getByRole('link', { name: 'All quotes' }).click();
    const home = page.getByRole('link', { name: '1420 Larkspur Ave, Ocala, FL 34471' });
    await home.waitFor();
    await page.getByLabel('Search').fill('larkspur ho8');
    await home.waitFor();
    await page.getByLabel('Search').fill('elsewhere');
    await page.getByRole('status').getByText('0 of 1 quotes match.').waitFor();
    // A search covers the pages that are not loaded yet.
    await page.route('**/quote/list', async (route) => {
      const response = await route.fetch({ postData: '{}' });
      const { quotes } = (await response.json()) as { quotes: object[] };
      const isFirst = !/cursor/.test(route.request().postData() ?? '');
      const older = quotes.map((each) => ({
        ...each,
        quote_request_id: 'older',
        insured: { name: 'Ada Elder', address: '9 Elder St' },
      }));
      await route.fulfill({ response, json: isFirst ? { quotes, next: 'older' } : { quotes: older, next: null } });
    });
    await page.getByLabel('Search').fill('');
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await page.getByRole('link', { name: 'Quotes', exact: true }).click();
    await page.getByRole('button', { name: 'More quotes' }).waitFor();
    await page.getByLabel('Search').fill('elder');
    await page.getByRole('link', { name: '9 Elder St' }).waitFor();
    await page.getByRole('status').getByText('1 of 2 quotes match.').waitFor();
    await page.unroute('**/quote/list');
    await page.getByLabel('Search').fill('');
    await page.getByLabel('Status').selectOption('processing');
    await page.getByRole('status').getByText('No quotes with this status.').waitFor();
    await page.getByLabel('Status').selectOption('');
    await expectAccessible(page);
    await picture(page, 'quote-list');
    await expectNarrow(page);
    // A home is watched and listed until it is removed, by keyboard alone.
    await page.goto(`${workbench.demo.url}/#/home?state=fl&county=marion&policy_type=ho3`);
    await page.getByRole('button', { name: 'Watch this home' }).press('Enter');
    await page.getByRole('status').getByText('This home is watched.').waitFor();
    await page.getByRole('link', { name: 'Quotes', exact: true }).press('Enter');
    await page.getByText('Watched since').waitFor();
    await expectAccessible(page);
    await expectNarrow(page);
    await page.getByRole('button', { name: 'Stop watching marion, FL, HO3' }).press('Enter');
    await page.getByText('No homes yet.').waitFor();
    await home.click();
    await page
      .getByRole('status')
      .getByText(/answers: /)
      .waitFor();
    // Results remain even if the service has become unreachable.
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    // Wait for Home: going back earlier, the page would never leave the quote and would request nothing.
    await page.getByRole('heading', { level: 1, name: 'Who takes this home?' }).waitFor();
    await page.route('**/api/v1/quote/**', (route) => route.abort());
    await page.goBack();
    await page.getByRole('alert').getByText('out of reach').waitFor();
    expect(await rates.count()).toBe(counts.success);
    const { said } = workbench;
    said.splice(0, said.length, ...said.filter((text) => !/ERR_FAILED|status of 422/.test(text)));
    await workbench.leave(page);
  });

  it('cancel a quote by keyboard; without a stream of events it is polled', async () => {
    const page = await workbench.openView('#/quotes?new=');
    await page.getByRole('button', { name: 'Fill with examples' }).click();
    await page.route('**/quote/*/events', (route) => route.fulfill({ status: 503, body: 'no' }));
    // The demo's carriers are fast: keep one running until the cancellation.
    let isCancelled = false;
    const asked: string[] = [];
    await page.route(/\/quote\/[^/]+$/, async (route) => {
      asked.push(route.request().url());
      if (route.request().url().endsWith('/request') || isCancelled) return route.continue();
      const response = await route.fetch();
      const body = (await response.json()) as { status: string; counts: { processing: number } };
      return route.fulfill({
        response,
        json: { ...body, status: 'processing', counts: { ...body.counts, processing: 1 } },
      });
    });
    await page.route('**/cancel', async (route) => {
      isCancelled = true;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Get quotes' }).click();
    await page.getByRole('progressbar').waitFor();
    await expectAccessible(page);
    await tabTo(page, 'quote-cancel');
    await page.keyboard.press('Enter');
    await page
      .getByRole('status')
      .getByText(/answers: /)
      .waitFor();
    // The button is gone, and the keyboard goes on where it was.
    await expectFocus(page);
    expect(asked.length).toBeGreaterThan(2);
    const { said } = workbench;
    said.splice(0, said.length, ...said.filter((text) => !/status of (503|4\d\d)/.test(text)));
    await workbench.leave(page);
  });

  it('propose a file and print its approval report', async () => {
    const page = await workbench.openView('#/sign-off');
    const rules = [1, 3].map((value) => ({
      id: `claims-${value}`,
      outcome: value === 1 ? 'decline' : 'refer',
      code: 'claims',
      when: { all: [{ fact: 'total_claims', operator: 'greaterThan', value }] },
      message: 'Claims: <img src=x onerror=alert(1)> {total_claims}.',
    }));
    const propose = (version: string, more: object) =>
      page.locator('#sign-off-file').setInputFiles({
        name: 'rules.json',
        mimeType: 'application/json',
        buffer: Buffer.from(
          JSON.stringify({
            format: 1,
            carrier: { key: 'signed_mutual', name: 'Signed <b>Mutual</b>' },
            line: 'home',
            version,
            effective: { from: '2026-01-01', until: null },
            programs: [{ id: 'all', policy_types: ['ho3'], states: ['fl'], rules: rules.slice(0, 1) }],
            ...more,
          }),
        ),
      });
    await propose('1', { programs: [{ id: 'all', policy_types: ['ho3'], states: ['fl'], rules }] });
    const report = page.getByRole('article');
    await report.getByText('Whenever "claims-3" (refer) holds').waitFor();
    await propose('2', {});
    await report.getByRole('heading', { name: 'Signed <b>Mutual</b> 2' }).waitFor();
    await expectAccessible(page);
    await picture(page, 'sign-off');
    await expectNarrow(page);
    // The print has lines for signatures, in dark mode too.
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await report.getByText('Approved by: ____').waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
    expect(await page.getByRole('button').count()).toBe(0);
    expect(await page.evaluate("getComputedStyle(document.querySelector('.approval-report')).backgroundColor")).toMatch(
      /255, 255, 255|0, 0, 0, 0/,
    );
    await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
    expect(await page.locator('img').count()).toBe(0);
    await workbench.leave(page);
  });

  it.each([
    [1400, 360, '20', '2025.1.2'],
    [360, 1400, '25', '2025.1.3'],
  ] as const)(
    'open what is in force, edit it, propose the edit and approve it as another person, by keyboard alone, at %i and %i pixels',
    async (width, otherWidth, limit, version) => {
      const { demo } = workbench;
      const page = await workbench.openView('#/rules', { width, height: 800 });
      const press = async (key: string, times = 1) => {
        for (let time = 0; time < times; time++) await page.keyboard.press(key);
      };
      await tabTo(page, 'rules-served');
      await page.keyboard.type('Bayou');
      await press('Tab');
      await press('Enter');
      const propose = page.getByRole('region', { name: 'Propose this version' });
      await propose.getByRole('button', { name: `Propose ${version}` }).waitFor();
      await expectAccessible(page, true);
      // The limit and the message that names it.
      await tabTo(page, /roof.* is more than, of tx-roof-3-tab$/);
      await press('Control+a');
      await page.keyboard.type(limit);
      await press('Enter');
      await propose.getByText('1 likely mistake is listed').waitFor();
      await tabTo(page, /^Message of tx-roof-3-tab$/);
      await press('Control+Home');
      await press('ArrowRight', 'A 3-tab roof may be '.length);
      await press('Delete', 2);
      await page.keyboard.type(limit);
      await press('Tab');
      await propose.getByText('Approval may be refused').waitFor({ state: 'detached' });
      expect(await overflow(page)).toBe(0);
      await expectAccessible(page, true);
      await page
        .getByRole('region', { name: 'Effects of this edit' })
        .getByText('Newly accepted', { exact: true })
        .waitFor();
      await tabTo(page, 'rules-note', 'Shift+Tab');
      await page.keyboard.type('Inspections show that these roofs last.');
      await press('Tab');
      await press('Enter');
      const report = page.getByRole('article');
      await report.getByRole('heading', { name: `Bayou Mutual ${version}` }).waitFor();
      await expectFocus(page);
      // The proposer sends the link; approving is for another person.
      await report.getByText('Another person approves it').waitFor();
      expect(await report.locator('button.main').allInnerTexts()).toEqual(['Copy link for the approver']);
      await tabTo(page, 'report-approve');
      await press('Enter');
      await page.getByRole('alert').getByText('somebody else must approve it').waitFor();
      // The navigation shows where one is.
      expect(
        await page.evaluate("document.querySelector('nav [aria-current]').getBoundingClientRect().right <= innerWidth"),
      ).toBe(true);
      expect(await overflow(page)).toBe(0);
      await expectAccessible(page, true);
      const address = page.url();

      const approver = await workbench.openPage();
      approver.on('pageerror', (error) => workbench.said.push(error.message));
      await approver.setViewportSize({ width: otherWidth, height: 740 });
      await signInByLink(approver, `${demo.url}/#token=${demo.keys.approver_token}`);
      await approver.goto(address);
      await approver.getByText('Newly accepted').first().waitFor();
      expect(await overflow(approver)).toBe(0);
      await expectAccessible(approver, true);
      expect(await approver.getByRole('article').locator('button.main').allInnerTexts()).toEqual(['Approve']);
      await tabTo(approver, 'report-why');
      await approver.keyboard.type('Read it.');
      await approver.keyboard.press('Tab');
      await approver.keyboard.press('Enter');
      await approver.getByText(`Bayou Mutual ${version} is approved.`).first().waitFor();
      await approver.getByRole('article').getByText('In force', { exact: true }).waitFor();
      await expectFocus(approver);
      await expectAccessible(approver, true);
      await workbench.leave(approver);
      // The new limit decides.
      const home = {
        state: 'tx',
        county: 'travis',
        policy_type: 'ho3',
        roof_type: '3-tab shingle',
        roof_age: Number(limit) - 2,
      };
      const declinesRoof = async () => {
        const answer = await demo.post('/v1/underwrite/home', home);
        const { carriers, declined } = (await answer.json()) as Record<
          'carriers' | 'declined',
          { carrier_key: string; reasons: { rule_id: string }[] }[]
        >;
        const verdict = [...carriers, ...declined].find(({ carrier_key }) => carrier_key === 'bayou_mutual');
        return verdict?.reasons.some(({ rule_id }) => rule_id === 'tx-roof-3-tab');
      };
      await expect.poll(declinesRoof).toBe(false);
      // The author's own approval was refused.
      const { said } = workbench;
      said.splice(0, said.length, ...said.filter((text) => !/status of 403/.test(text)));
      await workbench.leave(page);
    },
  );

  it('name a missing scope before rules are edited', async () => {
    const { demo } = workbench;
    const page = await workbench.openPage();
    const propose = page.getByRole('region', { name: 'Propose this version' });
    await signInByLink(page, `${demo.url}/#token=${demo.keys.admin_token}`);
    await page.goto(`${demo.url}/#/rules`);
    await page.locator('#rules-served').selectOption({ label: 'Pecan Grove Exchange 2025.9.1' });
    await page.locator('#rules-served-take').click();
    await propose.getByText('sign in with an operator’s token').waitFor();
    await signInByLink(page, `${demo.url}/#token=${demo.keys.api_key}`);
    await page.goto(`${demo.url}/#/rules`);
    await page.getByText('To propose rules, sign in with a token that has the scope admin.').waitFor();
    await page.getByText('To open versions in force, sign in with a token that has the scope rules.').waitFor();
    const { said } = workbench;
    said.splice(0, said.length, ...said.filter((text) => !/status of 403/.test(text)));
    await workbench.leave(page);
  });

  it('say so where a token may not read rules, and where the service does not answer', async () => {
    const { demo } = workbench;
    const page = await workbench.openPage();
    await signInByLink(page, `${demo.url}/#token=${demo.keys.api_key}`);
    await page.goto(`${demo.url}/#/book`);
    await page.getByRole('alert').getByText('may not read rule sets').waitFor();
    await expectAccessible(page);
    await workbench.leave(page);
    const broken = await workbench.openPage();
    await broken.route('**/v1/rule-sets/**', (route) => route.fulfill({ status: 500, body: '<b>no</b>' }));
    await signInByLink(broken, `${demo.url}/#token=${demo.keys.admin_token}`);
    await broken.goto(`${demo.url}/#/book`);
    const alert = broken.getByRole('alert');
    await alert.waitFor();
    await broken.unroute('**/v1/rule-sets/**');
    await alert.getByRole('button', { name: 'Try again' }).click();
    await broken.getByRole('region', { name: 'A book to evaluate' }).waitFor();
    await workbench.leave(broken);
  });

  it('say what they wait for, what is broken and what a token may not, in every view', async () => {
    const page = await workbench.openPage();
    page.setDefaultTimeout(120_000);
    page.on('pageerror', (error) => workbench.said.push(error.message));
    const main = page.getByRole('main');
    const home = `${workbench.demo.url}/#/home?state=fl&lat=25.7825&lng=-80.134`;
    let answer: 'none' | 'broken' | 'real' = 'none';
    const held: (() => Promise<void>)[] = [];
    await page.route(/\/(v1|api)\//, (route) => {
      if (answer === 'real' || route.request().url().endsWith('/v1/token')) return route.continue();
      if (answer === 'broken') return route.fulfill({ status: 500, body: '<b>no</b>' });
      held.push(() => route.fulfill({ status: 500, body: '<b>no</b>' }));
      return undefined;
    });
    // Loading: the page names what it waits for.
    const waits = [
      [home, 'Asking the carriers …'],
      ['appetite', 'Loading the rules …'],
      ['book', 'Loading the rules …'],
      ['rules', 'Open a version in force or a file'],
      ['compare', 'Choose two versions'],
      ['quotes', 'Loading the quotes …'],
      ['quotes?new=', 'Loading the fields of a quote …'],
      ['quotes?quote=none', 'Looking for the quote …'],
      ['sign-off', 'Loading the registry …'],
    ] as const;
    await signInByLink(page, `${workbench.demo.url}/#token=${workbench.demo.keys.admin_token}`);
    const open = (view: string) => page.goto(view === home ? home : `${workbench.demo.url}/#/${view}`);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    for (const [view, words] of waits) {
      await open(view);
      await main.getByText(words).waitFor();
      expect(await page.evaluate('document.getAnimations().length')).toBe(0);
    }
    // A broken answer is reported, its content is shown only as text, and the request can be repeated.
    answer = 'broken';
    for (const fail of held) await fail();
    for (const [view] of waits) {
      await open(view);
      if (view === 'rules' || view === 'compare') continue;
      const alerts = main.getByRole('alert').filter({ hasText: 'The service answered 500' });
      // Home requests the carriers and the distance separately.
      await alerts.nth(view === home ? 1 : 0).waitFor();
      for (const alert of await alerts.all()) await alert.getByRole('button', { name: 'Try again' }).waitFor();
    }
    expect(await page.locator('main b').count()).toBe(0);
    // It is there again.
    answer = 'real';
    await open('sign-off');
    await main.getByRole('button', { name: 'Try again' }).click();
    await main.getByRole('heading', { name: 'Newest versions' }).waitFor();
    await open('book');
    await main.getByRole('button', { name: 'Try again' }).click();
    await main.getByRole('region', { name: 'A book to evaluate' }).waitFor();
    // A token of the organization sees no quotes: they belong to its teams.
    await open('quotes');
    await main.getByRole('alert').filter({ hasText: 'This token cannot list quotes.' }).waitFor();
    await workbench.leave(page);
    // A team’s token quotes, and nothing else.
    const team = await workbench.openPage();
    await signInByLink(team, `${workbench.demo.url}/#token=${workbench.demo.keys.team_token}`);
    for (const [view, words] of [
      [home.slice(home.indexOf('#') + 2), 'Permission denied'],
      ['appetite', 'may not read rule sets'],
      ['book', 'may not read rule sets'],
      ['sign-off', 'may not see the registry'],
    ] as const) {
      await team.goto(`${workbench.demo.url}/#/${view}`);
      await team.getByRole('alert').filter({ hasText: words }).first().waitFor();
    }
    await team.goto(`${workbench.demo.url}/#/quotes?new=`);
    await team.getByRole('button', { name: 'Fill with examples' }).waitFor();
    await workbench.leave(team);
  });

  it('keep what was typed where a token is taken no longer; signing out forgets it', async () => {
    const { demo } = workbench;
    const admin = { authorization: `Bearer ${demo.keys.admin_token}` };
    const made = await demo.post(
      '/v1/admin/tokens/create',
      { name: 'short', scopes: ['underwrite', 'rules', 'distance'] },
      admin,
    );
    expect(made.status).toBeLessThan(300);
    const { token, token_id } = (await made.json()) as { token: string; token_id: string };
    const page = await workbench.openPage();
    await signInByLink(page, `${demo.url}/#token=${token}`);
    await page.goto(`${demo.url}/#/home?state=fl&lat=25.7825&lng=-80.134`);
    await page.getByRole('article').first().waitFor();
    await demo.post('/v1/admin/tokens/remove', { token_id }, admin);
    await page.getByLabel('Year built').fill('1999');
    await page.getByRole('alert').getByText('does not take this token').waitFor();
    expect(await page.getByLabel('Year built').inputValue()).toBe('1999');
    expect(await page.locator('input[type=password]').count()).toBe(1);
    await expectAccessible(page);
    await tabTo(page, 'sign-in-token');
    await page.keyboard.insertText(demo.keys.admin_token);
    await page.keyboard.press('Enter');
    await page.getByLabel('Access token', { exact: true }).waitFor({ state: 'detached' });
    await expectFocus(page);
    await page.getByRole('article').first().waitFor();
    await expect.poll(() => page.getByRole('alert').allInnerTexts()).toEqual([]);
    expect(await page.getByLabel('Year built').inputValue()).toBe('1999');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Access token', { exact: true }).fill(demo.keys.admin_token);
    await page.keyboard.press('Enter');
    await page.getByText('Choose a state to see which carriers would write this home.').waitFor();
    expect(page.url()).toBe(`${demo.url}/#/home`);
    await workbench.leave(page);
  });

  it('show the form and decisions of another line of business, by keyboard alone', async () => {
    const { demo, said } = workbench;
    const page = await workbench.openView('#/home');
    await tabTo(page, 'line-of-business');
    await page.keyboard.type('Flood');
    await tabTo(page, 'home-state');
    await page.keyboard.type('fl');
    await page.getByRole('heading', { name: 'Who takes this building?' }).waitFor();
    const asked = await demo.post('/v1/underwrite/flood', { state: 'fl' });
    const { next_questions } = (await asked.json()) as { next_questions: { field: string }[] };
    await expectNextQuestion(page, next_questions[0]!.field);
    // A value outside its domain is reported at its field, in the service's words, with the field's label.
    const field = 'first_floor_above_base_flood_feet';
    await tabTo(page, `home-${field}`);
    await page.locator('.help').getByText('First floor minus base flood elevation').waitFor();
    await page.keyboard.type('-99');
    const refused = await demo.post('/v1/underwrite/flood', { state: 'fl', [field]: -99 });
    const { errors } = (await refused.json()) as { errors: { message: string }[] };
    const label = 'First floor above base flood';
    await page.locator(`#home-${field}-fault`).getByText(errors[0]!.message.replace(field, label)).waitFor();
    await page.getByRole('alert').getByText(`Correct this field: ${label}.`).waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('-3.5');
    await tabTo(page, 'home-unrepaired_damage');
    await page.keyboard.type('Yes');
    const card = page.getByRole('article', { name: 'Tidegate Private Flood' });
    await openAnswer(page, /^Tidegate Private Flood/);
    await card.locator('.reasons').getByText('Damage stands unrepaired.').waitFor();
    await card.getByText('The first floor is -3.5 feet from base flood').waitFor();
    // Applied from a suggested change: a number with a sign, and a no.
    // Changes of an earlier answer are disabled.
    await card.locator('.ways[aria-busy="false"]').first().waitFor();
    await tabTo(page, /^Try it with Tidegate/);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('#home-unrepaired_damage').inputValue()).toBe('false');
    await card.locator('.status-needs_information').first().waitFor();
    await expectFocus(page);
    await expectAccessible(page);
    await expectNarrow(page);
    // Homes have another form in the same place; views for homes only report that.
    await goTo(page, 'Appetite map');
    await page.getByRole('note').getByText('for homes only').waitFor();
    await goTo(page, 'Home');
    await tabTo(page, 'line-of-business');
    expect(await page.locator('#line-of-business').inputValue()).toBe('flood');
    await page.keyboard.type('Home');
    await page.getByRole('heading', { name: 'Who takes this home?' }).waitFor();
    expect(new URL(page.url()).hash).toBe('#/home?state=fl');
    await followOwnLine(page);
    said.splice(0, said.length, ...said.filter((each) => !/status of 422/.test(each)));
    await workbench.leave(page);
  });

  /**
   * A host-defined line, which the page knows only from the service. Here another service answers in place of the demo.
   */
  async function followOwnLine(page: Page): Promise<void> {
    const link = /http\S+#token=([^&\s]+)\S*/.exec(workbench.demo.leeward.output())!;
    const own = createLeeward({
      directory: createKeyHolder([{ token: link[1]!, scopes: ['underwrite'] }]),
      underwriting: { catalog: createCatalog([]) },
      lines: [{ line: auto, catalog: createCatalog([{ file: autoCarrier }], { vocabulary: auto.vocabulary }) }],
    });
    await page.route(/\/lines\.json$|\/v1\/underwrite\/auto$/, async (route) => {
      const request = route.request();
      const body = request.postData();
      const method = request.method();
      const answer = await own.fetch(
        new Request(request.url(), { method, headers: await request.allHeaders(), ...(body === null ? {} : { body }) }),
      );
      await route.fulfill({
        status: answer.status,
        contentType: answer.headers.get('content-type') ?? '',
        body: await answer.text(),
      });
    });
    // A kept sign-in needs no confirmation.
    await page.evaluate('sessionStorage.clear()');
    await page.goto('about:blank');
    await signInByLink(page, link[0]);
    // The link holds the line, and every kind of field.
    const words = new URLSearchParams({
      'line-of-business': 'auto',
      state: 'tx',
      policy_type: 'personal auto',
      rideshare: 'false',
      licensed_since: '2010-05-01',
      drivers: '1',
      credit_offset: '-3',
      violations: '["dui"]',
    });
    await page.goto(`${workbench.demo.url}/#/home?${words}`);
    const card = page.getByRole('article', { name: 'Wheelhouse Auto' });
    await card.getByText('No driver with: dui.').waitFor();
    await tabTo(page, 'home-violations--none');
    await page.keyboard.press('Space');
    await card.getByText('No driver with: dui.').waitFor({ state: 'detached' });
    await card.getByText('Waiting for: model year').waitFor();
    expect(new URLSearchParams(new URL(page.url()).hash.split('?')[1]).get('violations')).toBe('[]');
    await expectFocus(page);
    await page.goto(`${workbench.demo.url}/#/home?line-of-business=boat&state=tx`);
    await page.getByRole('alert').getByText('does not have the line of business boat').waitFor();
    await expectAccessible(page);
  }

  // Last: of all pages above.
  it('keep to the policy and call only the service', () => {
    expect(workbench.elsewhere).toEqual([]);
    expect(workbench.said).toEqual([]);
  });
});

function nameOf(carrierKey: string): string {
  const path = join(workspace, `fixtures/carriers/${carrierKey}/rule-set.json`);
  return (JSON.parse(readFileSync(path, 'utf8')) as { carrier: { name: string } }).carrier.name;
}
