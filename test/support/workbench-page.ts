import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { openChromium } from './chromium.ts';
import { type Demo, startDemo, workspace } from './leeward-process.ts';

/** The workbench of a demo in a browser: one of each for a file of tests. */
export interface Workbench {
  readonly demo: Demo;
  readonly browser: Browser;
  readonly operatorToken: string;
  /** A page that is signed in by its address; whatever it says or asks elsewhere is kept. */
  openView(view: string, options?: Parameters<Browser['newPage']>[0]): Promise<Page>;
  /** What pages said to the console, and what they asked of others than the service. Expected to stay empty. */
  readonly said: string[];
  readonly elsewhere: string[];
  stop(): Promise<void>;
}

export async function startWorkbench(environment: Record<string, string> = {}): Promise<Workbench> {
  const operatorToken = `operator of the workbench ${'0123456789'.repeat(2)}`;
  const quiet = { LEEWARD_LOG_LEVEL: 'silent', LEEWARD_RATE_LIMIT: '0', LEEWARD_OPERATOR_TOKEN: operatorToken };
  const [demo, browser] = await Promise.all([startDemo({ environment: { ...quiet, ...environment } }), openChromium()]);
  const said: string[] = [];
  const elsewhere: string[] = [];
  return {
    demo,
    browser,
    operatorToken,
    said,
    elsewhere,
    async openView(view, options = {}) {
      const page = await browser.newPage({ viewport: { width: 1400, height: 900 }, ...options });
      // A busy machine is slow, not wrong.
      page.setDefaultTimeout(120_000);
      page.on('console', (message) => said.push(message.text()));
      page.on('pageerror', (error) => said.push(error.message));
      page.on('request', (request) => {
        if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(demo.url)) elsewhere.push(request.url());
      });
      await page.goto(/http\S+#token=\S+/.exec(demo.leeward.output())![0]);
      await page.getByRole('navigation', { name: 'Views' }).waitFor();
      expect(page.url()).not.toContain(demo.keys.admin_token);
      await page.goto(`${demo.url}/${view}`);
      return page;
    },
    async stop() {
      await browser.close();
      await demo.stop();
    },
  };
}

/** No rule of axe is broken, in either theme. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(`${axe.source};0`);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const violations = await page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ' ' + nodes.map(({ html, any }) => html + ' ' + any.map(({ message }) => message)).join(' | ')))`);
    expect(violations).toEqual([]);
  }
}

/** Tab until what is focused has this id. */
export async function tabTo(page: Page, id: string, key = 'Tab'): Promise<void> {
  for (let press = 0; press < 80; press++) {
    if ((await page.evaluate('document.activeElement.id')) === id) return;
    await page.keyboard.press(key);
  }
  throw new Error(`No way by keyboard to ${id}`);
}

/** Pixels that the page is wider than its window. */
export const overflow = (page: Page) => page.evaluate('document.documentElement.scrollWidth - innerWidth');

/** It holds at 320 pixels, and at 200 % of a window of 1,280: half as many to lay it out in. */
export async function expectNarrow(page: Page): Promise<void> {
  const before = page.viewportSize()!;
  for (const size of [
    { width: 320, height: 800 },
    { width: 640, height: 450 },
  ]) {
    await page.setViewportSize(size);
    expect([size.width, await overflow(page)]).toEqual([size.width, 0]);
  }
  await page.setViewportSize(before);
}

/** A picture of docs/workbench.md: written where `LEEWARD_WRITE_PICTURES=1` asks for it. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env['LEEWARD_WRITE_PICTURES'] !== '1') return;
  await page.evaluate('scrollTo(0, 0)');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(workspace, `docs/workbench/${name}-${colorScheme}.png`) });
  }
}
