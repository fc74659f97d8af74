import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, openChromium } from './support/chromium.ts';
import { type Demo, startDemo } from './support/demo.ts';
import { postJson, signInAs } from './support/sign-in-client.ts';
import { smallCoastline } from './support/small-coastline.ts';
import { expectAccessible, overflow } from './support/workbench-page.ts';

const MAX_WAIT_MS = 60_000;
const operatorToken = 'operator of sign-in '.padEnd(40, '0');

describe.skipIf(!hasChromium)('people at the page', () => {
  let demo: Demo;
  let browser: Browser;
  beforeAll(async () => {
    const environment = { ...smallCoastline, LEEWARD_OPERATOR_TOKEN: operatorToken, LEEWARD_LOG_LEVEL: 'silent' };
    [demo, browser] = await Promise.all([startDemo({ signIn: true, environment }), openChromium()]);
  });
  afterAll(async () => {
    await browser.close();
    await demo.stop();
  });

  /** A browser of one person. */
  async function openBrowser(width = 1280): Promise<Page> {
    const context = await browser.newContext({ viewport: { width, height: 800 } });
    const page = await context.newPage();
    page.setDefaultTimeout(MAX_WAIT_MS);
    await page.goto(`${demo.url}/`);
    return page;
  }
  async function signIn(page: Page, person: string): Promise<void> {
    await page.locator('#sign-in-at-provider').click();
    await page.getByRole('button', { name: person }).click();
    await page.getByRole('navigation', { name: 'Views' }).waitFor();
    await page.getByText(person).waitFor();
  }

  it('propose and approve as two; a second sign-in of the author does not count', async () => {
    const ana = await openBrowser();
    await expectAccessible(ana, true);
    await signIn(ana, 'Ana Núñez');
    // Neither the code nor the state stays in the address or its history.
    expect(ana.url()).toBe(`${demo.url}/#/home`);
    await expectAccessible(ana);
    await ana.goto(`${demo.url}/#/rules`);
    await ana.getByRole('button', { name: 'New rule set' }).click();
    const propose = ana.getByRole('region', { name: 'Propose this version' });
    await ana.locator('#rules-note').fill('A carrier of our own.');
    await propose.getByRole('button', { name: /^Propose / }).click();
    await ana.getByRole('article').getByText('Another person approves it').waitFor();
    const report = ana.url();

    // With a further role, and a token that proposed nothing, she is still the author.
    await updateUser((await signInAs(demo.url, 'ana')).user.user_id, {
      roles: [{ role: 'author' }, { role: 'approver' }],
    });
    const again = await openBrowser();
    await signIn(again, 'Ana Núñez');
    await again.goto(report);
    await again.locator('#report-why').fill('Read it.');
    await again.locator('#report-approve').click();
    expect(await again.getByRole('alert').innerText()).toContain('else must approve it');

    const ben = await openBrowser(360);
    await signIn(ben, 'Ben Okafor');
    await ben.goto(report);
    await ben.locator('#report-why').fill('Read it.');
    await ben.getByRole('article').getByRole('button', { name: 'Approve', exact: true }).click();
    await ben.getByRole('article').getByText('In force', { exact: true }).waitFor();
    expect(await ben.getByRole('article').innerText()).toMatch(/Four eyes\s+Two people/i);
    expect(await overflow(ben)).toBe(0);
    await expectAccessible(ben);
  });

  it('keep their input when a sign-in has ended, and go on in the same place', async () => {
    const page = await openBrowser();
    await signIn(page, 'Kim Larsen');
    await page.getByLabel('Year built').fill('1987');
    const kept = JSON.parse(String(await page.evaluate("sessionStorage.getItem('leeward-session')")));
    expect((await postJson(`${demo.url}/v1/sign-in/end`, {}, kept.token)).status).toBe(200);
    await page.goto(`${demo.url}/#/quotes`);
    await page.getByText('Your sign-in has ended').waitFor();
    await expectAccessible(page);
    const [other] = await Promise.all([page.waitForEvent('popup'), page.locator('#sign-in-at-provider').click()]);
    await other.getByRole('button', { name: 'Kim Larsen' }).click();
    await page.getByText('Your sign-in has ended').waitFor({ state: 'detached' });
    await page.goto(`${demo.url}/#/home`);
    expect(await page.getByLabel('Year built').inputValue()).toBe('1987');
  });

  it('see refusals of foreign answers, and a cancelled sign-in', async () => {
    const page = await openBrowser();
    await page.goto(`${demo.url}/?foreign#code=stolen&state=${'s'.repeat(43)}`);
    await page.getByRole('alert').getByText('was not started here').waitFor();
    expect(page.url()).not.toContain('stolen');
    await expectAccessible(page);
    await page.locator('#sign-in-at-provider').click();
    await page.getByRole('button', { name: 'Ana Núñez' }).waitFor();
    await page.goto(`${demo.url}/`);
    const { state } = JSON.parse(String(await page.evaluate("sessionStorage.getItem('leeward-sign-in')")));
    await page.goto(`${demo.url}/?cancelled#error=access_denied&state=${state}`);
    await page.getByRole('alert').getByText('The sign-in was cancelled.').waitFor();
  });

  it('are out at the next request once they are disabled', async () => {
    const page = await openBrowser();
    await signIn(page, 'Kim Larsen');
    const { user } = await signInAs(demo.url, 'kim');
    await updateUser(user.user_id, { status: 'disabled' });
    await page.goto(`${demo.url}/#/quotes`);
    await page.getByText('Your sign-in has ended').waitFor();
    await page.reload();
    await page.locator('#sign-in-at-provider').waitFor();
  });

  async function updateUser(userId: string, change: object): Promise<void> {
    const organization_id = demo.keys.organization_id;
    const listed = await postJson(`${demo.url}/v1/admin/users/list`, { organization_id }, operatorToken);
    const { items } = (await listed.json()) as { items: { user_id: string; revision: number }[] };
    const { revision } = items.find((each) => each.user_id === userId)!;
    const updated = await postJson(
      `${demo.url}/v1/admin/users/update`,
      { user_id: userId, revision, ...change },
      operatorToken,
    );
    expect(updated.status).toBe(200);
  }
});
