import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from './support/chromium.ts';
import { workspace } from './support/leeward-process.ts';
import {
  expectAccessible,
  expectNarrow,
  picture,
  startWorkbench,
  tabTo,
  type Workbench,
} from './support/workbench-page.ts';
import { writePageBook } from './support/write-page-book.ts';

const run = promisify(execFile);

describe.skipIf(!hasChromium)('views of the workbench', () => {
  let workbench: Workbench;
  const folder = mkdtempSync(join(tmpdir(), 'leeward-views-'));
  beforeAll(async () => {
    workbench = await startWorkbench();
  });
  afterAll(async () => {
    await workbench?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('judge a book of 100,000 in the page, as leeward book run does', async () => {
    const path = join(folder, 'book.csv');
    writeFileSync(path, writePageBook(100_000));
    const command = [join(workspace, 'packages/cli/bin/leeward.js'), 'book', 'run', path, '--json', '--reasons'];
    const carriers = ['--carriers', join(workspace, 'fixtures/carriers'), '--effective-date', '2026-11-20'];
    const page = await workbench.openView('#/book');
    await page.getByRole('region', { name: 'A book to judge' }).waitFor();
    await page.getByLabel('Effective date').fill('2026-11-20');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await tabTo(page, 'book-file');
    await page.locator('#book-file').setInputFiles(path);
    const [{ stdout }] = await Promise.all([
      run(process.execPath, [...command, ...carriers], { maxBuffer: 1 << 26, env: { PATH: process.env['PATH'] } }),
      page.getByRole('status').getByText('policies judged by 25 carriers').waitFor(),
    ]);
    // The program beside the page is the service's own; of the book nothing was sent.
    expect(asked.filter((url) => !url.includes('/workbench/'))).toEqual([]);
    interface Counts {
      readonly [status: string]: number;
    }
    const report = JSON.parse(stdout) as {
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
      const rows = await page.getByRole('table', { name }).getByRole('row').all();
      const cells = await Promise.all(rows.map((row) => row.locator('th, td').allInnerTexts()));
      const [head = [], ...body] = cells;
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
      Object.fromEntries(Object.entries(report.by_reason).map(([code, count]) => [code.replaceAll('_', ' '), count])),
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
    expect([file.suggestedFilename(), lines.length]).toEqual(['book.statuses.csv', 100_001]);
    await expectAccessible(page);
    await expectNarrow(page);
    // What was judged is still there after a look at another view; what is no book is refused by name.
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('link', { name: 'Book' }).click();
    await page.getByRole('button', { name: 'Download statuses' }).waitFor();
    await page.locator('#book-file').setInputFiles({
      name: '<b>book</b>.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('state,policy_type,rof_age\nfl,ho3,3\n'),
    });
    const refused = page.getByRole('alert').filter({ hasText: 'Did you mean "roof_age"?' });
    await refused.getByText('<b>book</b>.csv was not judged').waitFor();
    await expectAccessible(page);
    await page.close();
  });

  it('say so where a token may not read rules, and where the service does not answer', async () => {
    const { demo, browser, said } = workbench;
    const page = await browser.newPage();
    await page.goto(`${demo.url}/#token=${demo.keys.api_key}`);
    await page.goto(`${demo.url}/#/book`);
    await page.getByRole('alert').getByText('may not read rule sets').waitFor();
    await expectAccessible(page);
    await page.close();
    const broken = await workbench.openView('#/home');
    await broken.route('**/v1/rule-sets/**', (route) => route.fulfill({ status: 500, body: '<b>no</b>' }));
    await broken.goto(`${demo.url}/#/book`);
    const alert = broken.getByRole('alert');
    await alert.waitFor();
    await broken.unroute('**/v1/rule-sets/**');
    await alert.getByRole('button', { name: 'Try again' }).click();
    await broken.getByRole('region', { name: 'A book to judge' }).waitFor();
    await broken.close();
    said.splice(0, said.length, ...said.filter((text) => !text.includes('status of 500')));
  });

  // Last: of all pages above.
  it('break no policy and ask nobody else', () => {
    expect(workbench.elsewhere).toEqual([]);
    expect(workbench.said).toEqual([]);
  });
});

function nameOf(carrierKey: string): string {
  const path = join(workspace, `fixtures/carriers/${carrierKey}/rule-set.json`);
  return (JSON.parse(readFileSync(path, 'utf8')) as { carrier: { name: string } }).carrier.name;
}
