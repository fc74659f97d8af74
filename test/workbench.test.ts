import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from './support/chromium.ts';
import { type Demo, startDemo } from './support/demo.ts';
import { runLeewardHere } from './support/leeward-here.ts';
import { workspace } from './support/running-leeward.ts';
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
  startWorkbench,
  tabTo,
  type Workbench,
} from './support/workbench-page.ts';
import { writePageBook } from './support/write-page-book.ts';

/** Maximum size of the code of the page, gzipped. Libraries are bundled unchanged; see docs/decisions.md. */
const MAX_PAGE_BYTES = 511_000;
const folder = mkdtempSync(join(tmpdir(), 'leeward-workbench-'));

/** The hash is of the style of proposals, which open with the policy of the page. */
const policy =
  /^default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'sha256-[^ ']{44}'; img-src 'self' data:; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types leeward-workers$/;

interface Manifest {
  readonly files: readonly { readonly name: string; readonly bytes: number; readonly sha256: string }[];
}

let demo: Demo;
let workbench: Workbench | undefined;
beforeAll(async () => {
  if (hasChromium) workbench = await startWorkbench();
  demo =
    workbench?.demo ?? (await startDemo({ environment: { LEEWARD_LOG_LEVEL: 'silent', LEEWARD_RATE_LIMIT: '0' } }));
});
afterAll(async () => {
  if (workbench) await workbench.stop();
  else await demo?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('the files of the page', () => {
  it('come with the policy; paths of the API stay unchanged', async () => {
    const page = await fetch(`${demo.url}/`);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toMatch(policy);
    for (const path of ['/v1/nowhere', '/api/nowhere', '/workbench/nowhere.js']) {
      const answer = await fetch(`${demo.url}${path}`);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
    }
    const document = (await (await fetch(`${demo.url}/openapi.json`)).json()) as { paths: object };
    expect(Object.keys(document.paths).filter((path) => path === '/' || path.startsWith('/workbench'))).toEqual([]);
  });

  it('are listed with sizes and hashes, and keep to the budget', async () => {
    const manifest = (await (await fetch(`${demo.url}/workbench/manifest.json`)).json()) as Manifest;
    const sizes = new Map<string, number>();
    const texts = new Map<string, string>();
    for (const { name, bytes, sha256 } of manifest.files) {
      if (/^(shore-|ground-|map-cells|count)/.test(name)) continue;
      const text = await (await fetch(`${demo.url}/workbench/${name}`)).text();
      expect(Buffer.byteLength(text)).toBe(bytes);
      expect(createHash('sha256').update(text).digest('hex')).toBe(sha256);
      texts.set(name, text);
      sizes.set(name, await bytesOnWire(`${demo.url}/workbench/${name}`, 'gzip'));
    }
    const sum = (names: Iterable<string>) => [...names].reduce((total, name) => total + sizes.get(name)!, 0);
    expect(sum(firstView(texts))).toBeLessThan(75_000);
    expect(sum(sizes.keys())).toBeLessThan(MAX_PAGE_BYTES);
    // The list of the map's cells has exactly those that exist.
    const list = manifest.files.find(({ name }) => name.startsWith('map-cells-'))!.name;
    const { cells } = (await (await fetch(`${demo.url}/workbench/${list}`)).json()) as {
      cells: Record<string, string[]>;
    };
    const listed = Object.entries(cells).flatMap(([group, names]) => names.map((name) => `${group}-${name}`));
    const files = manifest.files.filter(({ name }) => /^(shore|ground)-/.test(name));
    expect(files.map(({ name }) => name.replace(/-[A-Z0-9]{8}\.json$/, '')).sort()).toEqual(listed.sort());
    expect(files.length).toBeGreaterThan(500);
  });

  it('are compressed, kept for good under names with a hash, and revalidated under others', async () => {
    const { body } = await get(`${demo.url}/workbench/manifest.json`);
    const { files } = JSON.parse(body.toString()) as Manifest;
    const kinds = [
      /^main-.*\.js$/,
      /^main-.*\.css$/,
      /^shore-osm-near-51_-161-/,
      /^shore-gshhg-far-0_-4-/,
      /^ground-near-12_-41-/,
      /^map-cells-/,
      /^county-shapes-12-/,
      /^county-shapes-us-/,
      /^counties-[^p]/,
      /^counties-packed-/,
    ];
    for (const kind of kinds) {
      const { name, bytes } = files.find((file) => kind.test(file.name))!;
      const url = `${demo.url}/workbench/${name}`;
      expect(await bytesOnWire(url, 'gzip')).toBeLessThan(bytes * 0.5);
      expect(await bytesOnWire(url, 'gzip, deflate, br')).toBeLessThan(bytes * 0.5);
      const { headers } = await get(url, { 'accept-encoding': 'br' });
      expect(headers).toMatchObject({
        vary: 'accept-encoding',
        'cache-control': 'public, max-age=31536000, immutable',
      });
    }
    expect(files.filter(({ name }) => !/-[A-Z0-9]{8}\.\w+$/.test(name)).map(({ name }) => name)).toEqual([
      'index.html',
    ]);
    for (const path of ['/', '/workbench/manifest.json', '/docs', '/openapi.json']) {
      const first = await get(`${demo.url}${path}`, { 'accept-encoding': 'gzip' });
      const { etag = '' } = first.headers;
      expect(first.headers).toMatchObject({ 'cache-control': 'no-cache', 'content-encoding': 'gzip' });
      const again = await get(`${demo.url}${path}`, { 'accept-encoding': 'gzip', 'if-none-match': etag });
      expect([again.status, again.body.byteLength]).toEqual([304, 0]);
      const plain = await get(`${demo.url}${path}`, { 'if-none-match': etag });
      expect([plain.status, plain.headers['content-encoding']]).toEqual([200, undefined]);
      expect(plain.body.byteLength).toBeGreaterThan(first.body.byteLength);
    }
  });
});

/** The length of a body as it is sent to a client that takes these encodings. */
async function bytesOnWire(url: string, encodings: string): Promise<number> {
  const { headers, body } = await get(url, { 'accept-encoding': encodings });
  expect(headers['content-encoding']).toBe(encodings.split(', ').at(-1));
  return body.byteLength;
}

async function get(url: string, headers: Record<string, string> = {}) {
  const [response] = (await once(request(url, { headers }).end(), 'response')) as [IncomingMessage];
  const body = Buffer.concat(await response.toArray());
  return { status: response.statusCode, headers: response.headers, body };
}

/** Returns the files that `index.html` names, and their imports before the first click. */
function firstView(texts: ReadonlyMap<string, string>): Set<string> {
  const found = new Set(['index.html']);
  for (const name of found) {
    const text = texts.get(name)!;
    const named = name.endsWith('.html')
      ? text.matchAll(/(?:src|href)="\.\/workbench\/([^"]+)"/g)
      : text.matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g);
    for (const [, other] of named) found.add(other!);
  }
  return found;
}

/** The bar is one line at 1,280 pixels for all names; the environment is never truncated. */
async function expectOneLine(page: Page): Promise<void> {
  const before = page.viewportSize()!;
  const heightAt = async (width: number) => {
    await page.setViewportSize({ width, height: 900 });
    return page.evaluate("document.querySelector('header.top').offsetHeight");
  };
  const height = await heightAt(1920);
  expect(await heightAt(1280)).toBe(height);
  await page.evaluate("document.querySelector('.holders strong').textContent = 'A long name of an agency '.repeat(9)");
  expect(await heightAt(1280)).toBe(height);
  expect(await overflow(page)).toBe(0);
  await page.locator('.top .environment').getByText('demo').waitFor();
  const cut = await page.evaluate(
    "(({ right }, { innerWidth }) => right > innerWidth)(document.querySelector('.top .environment').getBoundingClientRect(), window)",
  );
  expect(cut).toBe(false);
  await page.setViewportSize(before);
}

describe.skipIf(!hasChromium)('the workbench in a browser', () => {
  const openView = (...view: Parameters<Workbench['openView']>): Promise<Page> => workbench!.openView(...view);

  it('confirms before signing in by a link, and shows its organization in the bar', async () => {
    const { operatorToken, said } = workbench!;
    const operator = { authorization: `Bearer ${operatorToken}` };
    const make = async (what: string, body: object) =>
      (await (await demo.post(`/v1/admin/${what}/create`, body, operator)).json()) as Record<string, string>;
    const { organization_id } = await make('organizations', { name: '<b>Stranger</b> Agency' });
    const { team_id } = await make('teams', { organization_id, name: 'Night desk' });
    const { token } = await make('tokens', { organization_id });
    const { token: teamToken } = await make('tokens', { organization_id, team_id });
    const link = `${demo.url}/#token=${token}&team=${teamToken}`;
    const ours = /http\S+#token=\S+/.exec(demo.leeward.output())![0];
    const page = await workbench!.openPage();
    page.on('pageerror', (error) => said.push(error.message));
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.headers()['authorization']) asked.push(new URL(request.url()).pathname);
    });
    const heading = page.getByRole('heading', { name: 'Sign in with this link?' });
    const button = page.getByRole('button', { name: 'Sign in', exact: true });

    // A service other than a demo trusts no link.
    await page.route(`${demo.url}/`, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace('data-trust-links', '') });
    });
    await page.goto(link);
    await button.waitFor();
    expect(await page.locator('dl.facts').innerText()).toBe(
      'Organization\n<b>Stranger</b> Agency\nTeam\nNight desk\nEnvironment\ndemo',
    );
    expect(page.url()).not.toContain(token);
    expect(asked).toEqual(['/v1/token', '/v1/token']);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByLabel('Access token', { exact: true }).waitFor();
    await page.unroute(`${demo.url}/`);
    await page.goto('about:blank');

    await page.goto(ours);
    const bar = page.getByText(/^Signed in to .* · .* · demo$/);
    await bar.waitFor();
    const signedInTo = await bar.innerText();
    await expectOneLine(page);
    // Repeating the link changes nothing; another link needs a confirmation.
    await page.goto(ours);
    await expect.poll(() => page.url()).not.toContain('token');
    expect(await heading.count()).toBe(0);
    await page.goto(link);
    await page.getByText('You are signed in already').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await bar.waitFor();
    expect(await bar.innerText()).toBe(signedInTo);
    await page.goto(link);
    await button.click();
    await page.getByText('Signed in to <b>Stranger</b> Agency · Night desk · demo').waitFor();
    await expectAccessible(page);
    // A demo keeps the sign-in of a tab, and another tab starts without it.
    await page.reload();
    await page.getByText('Signed in to <b>Stranger</b> Agency · Night desk · demo').waitFor();
    const other = await page.context().newPage();
    await other.goto(demo.url);
    await other.getByLabel('Access token', { exact: true }).waitFor();
    await other.close();
    await page.goto(`${demo.url}/#token=${token}x`);
    await page.getByRole('alert').getByText('does not accept the token of this link').waitFor();
    expect(await button.count()).toBe(0);
    said.splice(0, said.length, ...said.filter((text) => !/status of 401/.test(text)));
    await workbench!.leave(page);
  });

  it('evaluates a home by keyboard alone, leads to the field that settles most, and turns a decline into a yes', async () => {
    const page = await openView('#/home');
    const answers: [string, string][] = [
      ['home-state', 'tx'],
      ['home-county', 'harris'],
      ['home-policy_type', 'ho3'],
    ];
    for (const [id, text] of answers) {
      await tabTo(page, id);
      await page.keyboard.type(text);
    }
    await page.getByRole('status').getByText('needs information').waitFor();
    // A service with homes only offers no choice of line.
    expect(await page.getByLabel('Line of business').count()).toBe(0);
    // The question that settles most leads to its field.
    const asked = await demo.post('/v1/underwrite/home', { state: 'tx', county: 'harris', policy_type: 'ho3' });
    const { next_questions } = (await asked.json()) as { next_questions: { field: string; would_settle: number }[] };
    await expectNextQuestion(page, next_questions[0]!.field);
    // A whole home by its link; a way out of a decline is found and taken by keyboard.
    const words =
      'state=tx&county=harris&policy_type=ho3&dwelling_a=285000&year_built=1987&structure_type=single+family&roof_type=3-tab+shingle&roof_age=22&primary_plumbing=copper&primary_wiring=copper&water_heater_age=8&hvac_age=9&protection_class=3&acreage=0.3&ownership=personal&usage=primary&total_claims=1&lapse_in_coverage=0&no_prior=0&foundation_type=closed';
    await page.goto(`${demo.url}/#/home?${words}`);
    const declined = page
      .getByRole('article')
      .filter({ has: page.locator('header .status-ineligible') })
      .filter({ has: page.locator('.way-out') })
      .first();
    await declined.waitFor();
    const name = (await declined.getByRole('heading', { level: 3 }).innerText()).trim();
    await openAnswer(page, new RegExp(`^${name}`));
    const way = page
      .getByRole('article', { name })
      .getByRole('button', { name: /^Try it/ })
      .first();
    const becomes = (await way.locator('xpath=..').locator('.status').innerText()).split('\n').at(-1)!;
    await tabTo(page, new RegExp(`^Try it with ${name.split(' HO')[0]}`));
    await page.keyboard.press('Enter');
    await page.getByRole('article', { name }).locator('header .status').filter({ hasText: becomes }).waitFor();
    await expectFocus(page);
    await expectAccessible(page);
    await workbench!.leave(page);
  });

  it('draws the shore, and holds at 320 pixels, at 200 % and in the dark', async () => {
    const page = await openView('#/home', { width: 320, height: 800 });
    await page.getByRole('button', { name: 'Show an example' }).click();
    const map = page.getByRole('img', { name: /^Map\. The shore is 2,000 feet to the east of the home\./ });
    await map.locator('path.shore').waitFor();
    await map.getByText('Miami Beach').waitFor();
    await map.getByText('MIAMI-DADE').waitFor();
    await map.getByText(/^1,000 feet/).waitFor();
    const colorOf = (part: string) => page.evaluate(`getComputedStyle(document.querySelector('.map ${part}')).fill`);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await colorOf('.land')).not.toBe(await colorOf('.water'));
    }
    // Farther out, the picture has the towns of the region; nearer, the home stays.
    for (let zoom = 0; zoom < 4; zoom++) await page.getByRole('button', { name: 'Zoom out' }).click();
    await map.getByText('Miami', { exact: true }).waitFor();
    for (let zoom = 0; zoom < 4; zoom++) await page.getByRole('button', { name: 'Zoom in' }).click();
    await map.getByText('Miami Beach').waitFor();
    await page.getByRole('article').first().waitFor();
    expect(await overflow(page)).toBe(0);
    await page.setViewportSize({ width: 1400, height: 1000 });
    await picture(page, 'home');
    // 200 % of a window of 1,280 pixels: half as many to lay it out in.
    await page.setViewportSize({ width: 640, height: 450 });
    expect(await overflow(page)).toBe(0);
    await expectAccessible(page);
    // A map far from any shore, and near the home: only files that exist are requested.
    const missing: string[] = [];
    page.on('response', (response) => {
      if (response.status() === 404) missing.push(response.url());
    });
    await page.goto(`${demo.url}/#/home?state=tx&policy_type=ho3&lat=31.1171&lng=-98.5`);
    const inland = page.getByRole('region', { name: 'Distance to the shore' });
    await inland.getByText(/^The shore is 198 miles to the southeast of the home\./).waitFor();
    await inland.locator('text.area').getByText('TEXAS').waitFor();
    for (let zoom = 0; zoom < 6; zoom++) await inland.getByRole('button', { name: 'Zoom in' }).click();
    await inland.locator('text.area').getByText('LAMPASAS').waitFor();
    expect(missing).toEqual([]);
    await workbench!.leave(page);
  });

  it('shows faults of a rule set at their place, and what an edit changes before it is saved', async () => {
    const page = await openView('#/rules');
    const path = join(workspace, 'fixtures/carriers/brackish_bay/rule-set.json');
    await page.getByLabel('Open a file').setInputFiles(path);
    await page.getByRole('heading', { name: 'Findings' }).waitFor();
    const text = readFileSync(path, 'utf8');
    const type = async (edited: string) => {
      await page.getByRole('textbox', { name: 'Rule set' }).focus();
      await page.keyboard.press('Control+a');
      await page.keyboard.insertText(edited);
    };
    // A rule for more than six claims becomes one for more than two.
    const edited = withClaims(text, 2);
    await type(edited);
    const changes = page.getByRole('region', { name: 'Effects of this edit' });
    const declined = changes.getByRole('listitem').filter({ hasText: 'Newly declined' }).first();
    await declined.waitFor();
    const witness = JSON.parse((await declined.locator('pre').textContent())!) as Record<string, unknown>;
    expect(witness['total_claims']).toBeGreaterThan(2);
    // The service has the unedited rules: it does not decline the home that the edit would decline.
    const judged = await demo.post('/v1/underwrite/home', witness);
    const { carriers } = (await judged.json()) as { carriers: { carrier_key: string; policy_type: string }[] };
    expect(carriers.map(({ carrier_key }) => carrier_key)).toContain('brackish_bay');
    await expectAccessible(page);
    await picture(page, 'rule-set');
    // Text is shown as text, and an invalid rule set is reported in place; Tab leaves the editor.
    await type(edited.replace('"line": "home"', '"line": "<img src=x onerror=alert(1)>"'));
    const fault = page.getByRole('region').getByText('<img src=x onerror=alert(1)>').first();
    await fault.waitFor();
    expect(await page.locator('img').count()).toBe(0);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.shadowRoot === null')).toBe(true);
    await page.setViewportSize({ width: 320, height: 800 });
    expect(await overflow(page)).toBe(0);
    await workbench!.leave(page);
  });

  it('keeps markup text, and what was typed when the service is away', async () => {
    const page = await openView('#/home');
    const markup = '<img src=x onerror=alert(1)>';
    await page.getByLabel('County').fill(markup);
    await page.getByLabel('State').fill('tx');
    await page.locator('.notice').getByText(markup).waitFor();
    await page.route('**/v1/underwrite/**', (route) => route.abort());
    await page.getByLabel('State').fill('fl');
    await page.getByRole('alert').getByText('out of reach').waitFor();
    expect(await page.getByLabel('County').inputValue()).toBe(markup);
    await page.unroute('**/v1/underwrite/**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    expect(await page.locator('img').count()).toBe(0);
    const { said } = workbench!;
    said.splice(0, said.length, ...said.filter((text) => !text.includes('ERR_FAILED')));
    await workbench!.leave(page);
  });

  it('evaluates counties and a book by keyboard alone, old rules against new', async () => {
    const page = await openView('#/home');
    await goTo(page, 'Appetite map');
    await tabTo(page, 'appetite-state');
    await page.keyboard.type('Texas');
    await page.getByRole('status').getByText('of 254 counties').waitFor();
    await tabTo(page, 'appetite-value');
    await page.keyboard.press('End');
    await page.getByText('Age of the roof: 60 years').waitFor();
    await tabTo(page, /^Value of the home$/);
    await page.keyboard.press('Enter');
    await page.getByText('Age of the roof: not given').waitFor();
    await expectFocus(page);
    await tabTo(page, 'appetite-county');
    await page.keyboard.type('Travis');
    await page.getByRole('region', { name: 'Travis County, TX' }).getByRole('listitem').first().waitFor();
    await tabTo(page, /^Bexar County$/);
    await page.keyboard.press('Space');
    await page.getByRole('region', { name: 'Bexar County, TX' }).getByRole('listitem').first().waitFor();

    await goTo(page, 'Book');
    await page.getByRole('region', { name: 'A book to evaluate' }).waitFor();
    const book = Buffer.from(writePageBook(2_000));
    await chooseFile(page, 'book-file', { name: 'book.csv', mimeType: 'text/csv', buffer: book });
    await page.getByRole('status').getByText('policies evaluated for').waitFor();
    const map = page.getByRole('img', { name: '1,997 policies in 5 counties' });
    await expect.poll(() => map.locator('path:not(.step-none)').count()).toBe(5);
    await expectFocus(page);
    // Numbers of counties and reasons open their policies.
    for (const [button, title] of [
      [/^[\d,]+, Harris County, TX: list/, 'Harris County, TX: policies'],
      [/^[\d,]+, claims: list/, 'Policies that a carrier declines: claims'],
    ] as const) {
      await tabTo(page, button);
      await page.keyboard.press('Enter');
      const list = page.getByRole('region', { name: title });
      await list.getByRole('rowheader').first().waitFor();
      await expectFocus(page);
    }
    const path = join(workspace, 'fixtures/carriers/brackish_bay/rule-set.json');
    const newer = join(folder, 'newer.json');
    writeFileSync(newer, withClaims(readFileSync(path, 'utf8'), 2));
    writeFileSync(join(folder, 'book.csv'), book);
    await chooseFile(page, 'book-newer-file', newer);
    const band = page.locator('.band-of-change').first();
    await band.waitFor();
    // The command line moves the same policies.
    const command = ['rules', 'diff', path, newer, '--book', join(folder, 'book.csv'), '--format', 'json'];
    const compared = await runLeewardHere(command).ended;
    const { book: moves } = JSON.parse(compared.output) as {
      book: { policies: number; moved: number; unread: unknown[]; by_move: Record<string, number> };
    };
    const read = (moves.policies - moves.unread.length).toLocaleString('en-US');
    await page.getByRole('status').getByText(`${moves.moved} of ${read} policies have a different answer`).waitFor();
    const bands = await page.locator('.band-of-change summary').allInnerTexts();
    expect(
      bands.map((text) =>
        text
          .toLowerCase()
          .replace(/[^a-z0-9]+/g, ' ')
          .trim(),
      ),
    ).toEqual(Object.entries(moves.by_move).map(([move, count]) => `${move.replace(' to ', ' becomes ')} ${count}`));
    await tabTo(page, /becomes/);
    await page.keyboard.press('Enter');
    await band.getByRole('row').nth(1).waitFor();
    await expectAccessible(page);
    await expectNarrow(page);
    await tabTo(page, /^Download statuses$/, 'Shift+Tab');
    const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    expect(file.suggestedFilename()).toBe('book.statuses.csv');
    await tabTo(page, /^Remove$/);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove', exact: true }).waitFor({ state: 'detached' });
    await expectFocus(page);
    await workbench!.leave(page);
  });

  it('edits a rule set, compares it, approves it and gets quotes by keyboard alone', async () => {
    const page = await openView('#/home');
    const path = join(workspace, 'fixtures/carriers/brackish_bay/rule-set.json');
    await goTo(page, 'Rule set');
    await chooseFile(page, 'rules-file', path);
    await page.getByRole('heading', { name: 'Findings' }).waitFor();
    await tabTo(page, /^Rule set$/);
    // Tab leaves the editor; a limit changed in the table appears in the text.
    await tabTo(page, /Claims in five years is more than, of claims$/);
    await page.keyboard.press('Control+a');
    await page.keyboard.type('2');
    await page.keyboard.press('Enter');
    const changes = page.getByRole('region', { name: 'Effects of this edit' });
    await changes.getByText('became more than 2').waitFor();
    await tabTo(page, 'rules-save', 'Shift+Tab');
    const [saved] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    // The rest of the file is unchanged.
    expect(readFileSync(await saved.path(), 'utf8')).toBe(withClaims(readFileSync(path, 'utf8'), 2));
    await expectFocus(page);
    await tabTo(page, /^Show the place$/);
    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.evaluate('document.activeElement.shadowRoot?.activeElement.ariaLabel'))
      .toBe('Rule set');

    await goTo(page, 'Compare');
    await tabTo(page, 'compare-older-served');
    await page.keyboard.type('Brackish');
    await tabTo(page, 'compare-older-served-take');
    await page.keyboard.press('Enter');
    await tabTo(page, /^Current edit$/);
    await tabTo(page, 'compare-newer-file');
    await tabTo(page, /^Current edit$/);
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('differ').waitFor();
    await tabTo(page, 'compare-next');
    await page.keyboard.press('Enter');
    await tabTo(page, /^Restore this part$/, 'Shift+Tab');
    await page.keyboard.press('Enter');
    await expectFocus(page);

    await goTo(page, 'Sign-off');
    const version = JSON.parse(readFileSync(path, 'utf8')) as { carrier: object };
    const own = { ...version, carrier: { key: 'keyboard_mutual', name: 'Keyboard Mutual' } };
    await chooseFile(page, 'sign-off-file', {
      name: 'own.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(own)),
    });
    const report = page.getByRole('article');
    await report.getByRole('heading', { name: 'Keyboard Mutual' }).waitFor();
    await expectFocus(page);
    await tabTo(page, 'report-why');
    await page.keyboard.type('Read it.');
    await tabTo(page, /^Withdraw$/);
    await page.keyboard.press('Enter');
    await page.getByRole('main').getByText('is withdrawn.').first().waitFor();
    await expectFocus(page);
    await tabTo(page, /^Edit a copy$/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Keyboard Mutual' }).waitFor();
    await expectFocus(page);

    await goTo(page, 'Quotes');
    await tabTo(page, /^New quote$/);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Fill with examples' }).waitFor();
    await tabTo(page, 'quote-last_name');
    await page.keyboard.type('Reyes');
    await tabTo(page, /^Fill with examples$/);
    await page.keyboard.press('Enter');
    expect(await page.getByLabel('Last name').inputValue()).toBe('Reyes');
    await tabTo(page, /^Get quotes$/, 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page
      .getByRole('status')
      .getByText(/answers: /)
      .waitFor();
    await expectFocus(page);
    await tabTo(page, /^Differences only$/);
    const rows = () => page.locator('table.rates tbody tr').count();
    const different = await rows();
    await page.keyboard.press('Space');
    await expect.poll(rows).toBeGreaterThan(different);
    await workbench!.leave(page);
  });

  // Last: of all pages above.
  it('keeps to the policy and calls only the service', () => {
    expect(workbench!.elsewhere).toEqual([]);
    expect(workbench!.said).toEqual([]);
  });
});

/** The rules of a carrier that declines more claims than six, with another limit. */
function withClaims(text: string, limit: number): string {
  const edited = text.replace(/("fact": "total_claims",\s*"operator": "greaterThan",\s*"value": )6/, `$1${limit}`);
  expect(edited).not.toBe(text);
  return edited;
}
