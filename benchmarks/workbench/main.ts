/**
 * The page in Chromium with a service of 50 carriers: load, keystroke, table of all counties, edit of a rule set with its
 * analysis, book of 100,000 policies, and size.
 */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { createRandom, pick, wholeNumber } from '../../test/support/random.ts';
import { startServer } from '../http/server-process.ts';
import { median, type Row, report } from '../report.ts';

const SEED = 20261120;
const TOKEN = `lw_test_${'0'.repeat(26)}_${'k'.repeat(43)}`;
const OPENINGS = 5;
const KEYSTROKES = 20;
const EDITS = 10;
const POLICIES = 100_000;
const CELLS = 24_000;

const folder = mkdtempSync(join(tmpdir(), 'leeward-workbench-'));
const service = await startServer('../workbench/service.ts', [String(SEED), TOKEN], join(folder, 'log'));
const url = `http://127.0.0.1:${service.port}`;
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
const rows: Row[] = [];
const ratios: Record<string, number> = {};
const row = (name: string, value: number, unit: string, floor?: number) => {
  rows.push({ name, median: value, unit });
  if (floor !== undefined) ratios[`${name}: floor ÷ ours`] = floor / value;
};

/** Milliseconds until a change is visible, measured in the page. */
async function untilSeen(page: Page, act: string, seen: string): Promise<number> {
  return (await page.evaluate(`new Promise((resolve, reject) => {
    const began = performance.now();
    const isSeen = () => { ${seen} };
    const look = () => {
      if (!isSeen()) return;
      watch.disconnect();
      requestAnimationFrame(() => resolve(performance.now() - (window.began ?? began)));
    };
    const watch = new MutationObserver(look);
    watch.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
    setTimeout(() => reject(new Error('nothing was seen')), 30_000);
    ${act};
    look();
  })`)) as number;
}

/** Bytes of a body with gzip. */
async function bytesOnWire(address: string): Promise<number> {
  const asked = request(address, { headers: { 'accept-encoding': 'gzip, deflate' } }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return Buffer.concat(await response.toArray()).byteLength;
}

async function openPage(of: Browser): Promise<Page> {
  const context = await of.newContext({ viewport: { width: 1400, height: 900 } });
  const page = await context.newPage();
  await page.goto(`${url}/#token=${TOKEN}`);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('navigation').waitFor();
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}

try {
  const openings: number[] = [];
  for (let round = 0; round < OPENINGS; round++) {
    const page = await openPage(browser);
    openings.push(
      (await page.evaluate(`performance.getEntriesByName('first-contentful-paint')[0].startTime`)) as number,
    );
    await page.context().close();
  }
  row('first view, nothing cached', median(openings), 'ms', 1000);

  const page = await openPage(browser);
  // The page has the rules only if this token may read them.
  await page.goto(`${url}/#/appetite`);
  await page.getByRole('status').getByText('counties have').waitFor();
  await page.goto(`${url}/#/home?state=fl&policy_type=ho3&year_built=1990&dwelling_a=300000&total_claims=0`);
  await page.getByRole('article').first().waitFor();
  const keystrokes: number[] = [];
  for (let round = 0; round < KEYSTROKES; round++) {
    // Wait, so that an earlier explanation does not count as the answer.
    await page.waitForTimeout(900);
    const year = 1950 + ((37 * round) % 70);
    keystrokes.push(
      await untilSeen(
        page,
        `const input = document.getElementById('home-year_built');
         const verdicts = document.querySelector('.cards');
         const before = verdicts.textContent;
         input.value = '${year}';
         input.dispatchEvent(new Event('input', { bubbles: true }))`,
        `return document.querySelector('.cards').textContent !== before`,
      ).catch(() => Number.NaN),
    );
  }
  const answered = keystrokes.filter((each) => !Number.isNaN(each));
  row(
    `keystroke to verdicts, 50 carriers (${answered.length} of ${KEYSTROKES} changed what is shown)`,
    median(answered),
    'ms',
    50,
  );

  await page.goto(`${url}/#/appetite`);
  await page.getByRole('status').getByText('counties have').waitFor();
  const all = await untilSeen(
    page,
    `const select = document.getElementById('appetite-state'); select.value = ''; select.dispatchEvent(new Event('change', { bubbles: true }))`,
    `return Number(document.querySelector('.county-table table').getAttribute('aria-rowcount')) > 3000`,
  );
  const cells = (await page.evaluate(
    `document.querySelector('.county-table table').getAttribute('aria-rowcount') * document.querySelector('.county-table table').getAttribute('aria-colcount')`,
  )) as number;
  row(`a table of ${cells.toLocaleString('en-US')} cells, evaluated and open`, all, 'ms');
  row(`the same for each ${CELLS.toLocaleString('en-US')} cells`, (all * CELLS) / cells, 'ms', 1000);

  const path = join(import.meta.dirname, '../../fixtures/carriers/brackish_bay/rule-set.json');
  const lines = readFileSync(path, 'utf8').split('\n');
  const place = lines.findIndex((line) => line.includes('"version"'));
  const version = /"version": "([^"]*)"/.exec(lines[place]!)![1]!;
  await page.goto(`${url}/#/rules`);
  await page.locator('input[type=file]').first().setInputFiles(path);
  await page.getByRole('heading', { name: 'Findings' }).waitFor();
  const edits: number[] = [];
  // Each key at the end of the version changes it.
  await page.getByRole('textbox', { name: 'Rule set' }).focus();
  await page.keyboard.press('Control+Home');
  for (let line = 0; line < place; line++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  for (let press = 0; press < 2; press++) await page.keyboard.press('ArrowLeft');
  for (let round = 1; round <= EDITS; round++) {
    const seen = untilSeen(
      page,
      `window.began = undefined; addEventListener('keydown', () => { window.began = performance.now(); }, { capture: true, once: true })`,
      `return document.getElementById('rules-changes')?.parentElement.textContent.includes('became "${version}${'7'.repeat(round)}"')`,
    );
    await page.keyboard.press('7');
    edits.push(await seen);
  }
  row(`an edit of a rule set with its analysis and changes`, median(edits), 'ms', 150);

  const random = createRandom(SEED + 3);
  const policies = Array.from({ length: POLICIES }, () =>
    [
      pick(random, ['fl', 'tx', 'la', 'sc']),
      pick(random, ['ho3', 'ho5', 'dp3']),
      wholeNumber(random, 1950, 2024),
      wholeNumber(random, 150, 900) * 1000,
      wholeNumber(random, 0, 4),
      wholeNumber(random, 1, 10),
      pick(random, ['primary', 'secondary', 'rental']),
      pick(random, ['copper', 'pex']),
    ].join(','),
  );
  const heading = 'state,policy_type,year_built,dwelling_a,total_claims,protection_class,usage,primary_plumbing';
  writeFileSync(join(folder, 'book.csv'), `${heading}\n${policies.join('\n')}\n`);
  await page.goto(`${url}/#/book`);
  const books: number[] = [];
  for (let round = 0; round < 3; round++) {
    await page.locator('#book-file').setInputFiles(join(folder, 'book.csv'));
    const status = page.getByRole('status').getByText('policies evaluated for');
    await status.waitFor();
    books.push(1000 * Number(/in ([\d.]+) s/.exec(await status.innerText())![1]));
    await page.getByRole('button', { name: 'Forget it' }).click();
  }
  row('100,000 policies by 50 carriers, from drop to result', median(books), 'ms', 2000);

  const { files } = (await (await fetch(`${url}/workbench/manifest.json`)).json()) as { files: { name: string }[] };
  let bytes = 0;
  for (const { name } of files) {
    if (!/\.(js|css|html)$/.test(name)) continue;
    bytes += await bytesOnWire(`${url}/workbench/${name}`);
  }
  row('all code of the page as it is sent, gzip', bytes / 1000, 'kB', 410);
} finally {
  await browser.close();
  service.stop();
  rmSync(folder, { recursive: true, force: true });
}
report({ benchmark: 'workbench', rows, ratios, meaning: 'above 1: better than the floor' }, process.argv.slice(2));
