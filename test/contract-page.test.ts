import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, openChromium } from './support/chromium.ts';
import { type Demo, startDemo } from './support/demo.ts';
import { smallCoastline } from './support/small-coastline.ts';
import { expectAccessible } from './support/workbench-page.ts';

interface Document {
  readonly paths: Record<string, Record<string, { readonly operationId: string; readonly summary: string }>>;
}

describe.skipIf(!hasChromium)('the documentation in a browser', () => {
  let demo: Demo;
  let browser: Browser;
  beforeAll(async () => {
    [demo, browser] = await Promise.all([
      startDemo({ environment: { ...smallCoastline, LEEWARD_LOG_LEVEL: 'silent' } }),
      openChromium(),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await demo?.stop();
  });

  it.each([
    ['a wide screen', 1400, 'light'],
    ['a telephone', 390, 'light'],
    ['the dark', 1100, 'dark'],
  ] as const)(
    'is shown in full on %s, with local content only and without policy violations',
    async (_, width, colorScheme) => {
      const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
      const said: string[] = [];
      const asked: string[] = [];
      page.on('console', (message) => said.push(message.text()));
      page.on('pageerror', (error) => said.push(error.message));
      page.on('request', (request) => asked.push(request.url()));
      await page.goto(`${demo.url}/docs`);
      expect(said).toEqual([]);
      expect(asked.filter((url) => !url.startsWith('data:'))).toEqual([`${demo.url}/docs`]);
      // The policy allows the page's style, so the page is laid out. A violation would have appeared above.
      const looks = await page.evaluate(
        `({
          ground: getComputedStyle(document.body).backgroundColor,
          columns: getComputedStyle(document.body).display,
          overflow: document.documentElement.scrollWidth - innerWidth,
        })`,
      );
      expect(looks).toEqual({
        ground: colorScheme === 'dark' ? 'rgb(16, 24, 27)' : 'rgb(255, 255, 255)',
        columns: width > 800 ? 'grid' : 'block',
        overflow: 0,
      });
      const { paths } = (await (await fetch(`${demo.url}/openapi.json`)).json()) as Document;
      const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
      expect(operations.length).toBeGreaterThan(50);
      // In one question: the page has hundreds of sections.
      const titles = await page
        .locator('section[id]')
        .evaluateAll(
          (found: readonly { readonly id: string; querySelector(of: string): { innerText: string } | null }[]) =>
            found.map((section) => [section.id, section.querySelector('h3')?.innerText]),
        );
      const titleOf = new Map(titles as [string, string | undefined][]);
      expect(operations.map(({ operationId }) => titleOf.get(operationId))).toEqual(
        operations.map(({ summary }) => summary),
      );
      // A link of the contents leads to its operation.
      await page.locator('nav a[href="#quoteStatus"]').click();
      expect(await page.locator('#quoteStatus h3').isVisible()).toBe(true);
      const top = await page.evaluate(`document.querySelector('#quoteStatus').getBoundingClientRect().top`);
      expect(Math.abs(top as number)).toBeLessThan(60);
      expect(said).toEqual([]);
      await page.close();
    },
  );

  it('finds operations by their words, and sends a request from the page', async () => {
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    await page.goto(`${demo.url}/docs`);
    const whole = await page.evaluate<number>('document.body.scrollHeight');
    const operations = await page.evaluate<number>(
      "document.querySelectorAll('section.operation[aria-labelledby]').length",
    );
    expect(operations).toBeGreaterThan(50);
    expect(whole / operations).toBeLessThan(800);
    await page.keyboard.press('/');
    await page.keyboard.type('proposal');
    await page.locator('#quoteStatus').waitFor({ state: 'hidden' });
    expect(await page.locator('#writeQuoteProposal').isVisible()).toBe(true);
    await page.getByLabel('Search operations and schemas').fill('');
    await page.locator('#quoteStatus').waitFor();

    const section = page.locator('#distanceToCoast');
    await section.getByRole('button', { name: 'Try it' }).click();
    await section.getByLabel('Token').fill(demo.apiKey);
    await section.getByLabel('Request').fill('{ "lat": 25.7825, "lng": -80.134 }');
    await section.getByRole('button', { name: 'Send' }).click();
    await section.locator('form pre', { hasText: 'direction_to_coast' }).waitFor();
    expect(await section.locator('form pre').innerText()).toMatch(/^200/);
    expect(said).toEqual([]);
    await page.close();
  });

  it('reports policy violations', async () => {
    const page = await browser.newPage();
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    await page.goto(`${demo.url}/docs`);
    await page.evaluate(
      `document.head.append(Object.assign(document.createElement('style'), { textContent: 'body { color: red }' }))`,
    );
    expect(said.join()).toContain('Content Security Policy');
    await page.close();
  });

  it('can be read without seeing it: landmarks, headings, names', async () => {
    const page = await browser.newPage();
    await page.goto(`${demo.url}/docs`);
    expect(await page.getByRole('navigation', { name: 'Contents' }).count()).toBe(1);
    expect(await page.getByRole('main').count()).toBe(1);
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
    expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual([
      'Underwriting',
      'Rules',
      'Distance',
      'Quoting',
      'Administration',
      'Certificates',
      'Operation',
      'Mcp',
      'Token',
      'Announced',
      'Problems',
      'Schemas',
    ]);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('To the contents');
    await page.close();
  });

  it('has no axe violation in either theme, with an open form', async () => {
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    await page.goto(`${demo.url}/docs`);
    // Sections are written alike, and checking all takes up to a minute: a few of each kind stay.
    await page.evaluate(
      `for (const kind of ['.operation:not(#distanceToCoast)', '.schema', 'nav li'])
        for (const each of [...document.querySelectorAll(kind)].slice(6)) each.remove();`,
    );
    await page.locator('#distanceToCoast').getByRole('button', { name: 'Try it' }).click();
    await expectAccessible(page, true);
    await page.close();
  });
});
