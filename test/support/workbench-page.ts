import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, FileChooser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { openChromium } from './chromium.ts';
import { type Demo, startDemo } from './demo.ts';
import { workspace } from './running-leeward.ts';
import { cellsOfRow, testVolume } from './test-volume.ts';

/** The workbench of a demo in a browser: one of each for a file of tests. */
export interface Workbench {
  readonly demo: Demo;
  readonly browser: Browser;
  readonly operatorToken: string;
  /** A page with nothing in it yet; one that was left, where there is one: to make a page takes longer than to load ours. */
  openPage(): Promise<Page>;
  /** Opens a page that is signed in by its address. Its console messages and requests to other hosts are recorded. */
  openView(view: string, size?: { readonly width: number; readonly height: number }): Promise<Page>;
  /** Returns a page to the pool, empty and without listeners. */
  leave(page: Page): Promise<void>;
  /** Console messages of pages and their requests to other hosts. Expected to stay empty. */
  readonly said: string[];
  readonly elsewhere: string[];
  stop(): Promise<void>;
}

export async function startWorkbench(environment: Record<string, string> = {}): Promise<Workbench> {
  const operatorToken = `operator of the workbench ${'0123456789'.repeat(2)}`;
  const quiet = { LEEWARD_LOG_LEVEL: 'silent', LEEWARD_RATE_LIMIT: '0', LEEWARD_OPERATOR_TOKEN: operatorToken };
  const [demo, browser] = await Promise.all([startDemo({ environment: { ...quiet, ...environment } }), openChromium()]);
  const viewport = { width: 1400, height: 900 };
  // A page keeps nothing where another could find it, so that all may share what is loaded and compiled once.
  const shared = await browser.newContext({ viewport });
  const left: Page[] = [];
  async function openPage(): Promise<Page> {
    const page = left.pop() ?? (await shared.newPage());
    // A busy machine is slow, not wrong.
    page.setDefaultTimeout(MAX_WAIT_MS);
    return page;
  }
  const said: string[] = [];
  const elsewhere: string[] = [];
  return {
    demo,
    browser,
    operatorToken,
    said,
    elsewhere,
    openPage,
    async openView(view, size) {
      const page = await openPage();
      if (size) await page.setViewportSize(size);
      // A permanent listener misses no file chooser.
      page.on('filechooser', () => {});
      page.on('console', (message) => {
        const line = `${message.text()} ${message.location().url}`.trim();
        // Until a page evaluates homes locally it calls the service, even with a half-typed word; the browser logs each
        // such answer.
        if (!/status of 422 .*\/v1\/(underwrite|quote\/indications)/.test(line)) said.push(line);
      });
      page.on('pageerror', (error) => said.push(error.message));
      page.on('request', (request) => {
        if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(demo.url)) elsewhere.push(request.url());
      });
      await signInByLink(page, /http\S+#token=\S+/.exec(demo.leeward.output())![0]);
      expect(page.url()).not.toContain(demo.keys.author_token);
      await page.goto(`${demo.url}/${view}`);
      return page;
    },
    async leave(page) {
      page.removeAllListeners();
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      // Leave the page even with unsaved edits.
      page.on('dialog', (dialog) => dialog.accept());
      await page.goto(`${demo.url}/healthz`);
      // A tab of a demo keeps its sign-in.
      await page.evaluate('sessionStorage.clear()');
      page.removeAllListeners();
      await page.emulateMedia({ colorScheme: null, media: null, reducedMotion: null });
      await page.setViewportSize(viewport);
      left.push(page);
    },
    async stop() {
      await browser.close();
      await demo.stop();
    },
  };
}

/** Opens a link with a token. In a demo, a confirmation is needed only if another session would end. */
export async function signInByLink(page: Page, link: string): Promise<void> {
  await page.goto(link);
  const views = page.getByRole('navigation', { name: 'Views' });
  const confirm = page.getByRole('button', { name: 'Sign in', exact: true });
  await views.or(confirm).waitFor();
  if (await confirm.isVisible()) await confirm.click();
  await views.waitFor();
}

const axe = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Rows of one table are made alike: so many of them are looked at. */
const rowsOfTables = testVolume(12);
/** Number of checks of each view, by browser: one browser per test file. */
const looks = new WeakMap<Browser, Map<string, number>>();

/**
 * Expects no axe violation in either theme. The second theme changes only colors, so only color rules run there.
 * Repeated checks of a view alternate the theme, unless every one is in both.
 */
export async function expectAccessible(page: Page, isInBoth = false): Promise<void> {
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(`${axe};0`);
  const browser = page.context().browser()!;
  const byView = looks.get(browser) ?? new Map<string, number>();
  looks.set(browser, byView);
  const view = new URL(page.url()).hash.split('?')[0]!;
  const look = byView.get(view) ?? 0;
  byView.set(view, look + 1);
  const themes = ['dark', 'light'] as const;
  for (const colorScheme of isInBoth || look === 0 ? themes : cellsOfRow(themes, look, 2)) {
    await page.emulateMedia({ colorScheme });
    const rules =
      (isInBoth || look === 0) && colorScheme === 'dark'
        ? { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }
        : {};
    const options = JSON.stringify({ resultTypes: ['violations'], ...rules });
    const context = JSON.stringify({ exclude: [[`tbody tr:nth-child(n + ${rowsOfTables + 1})`]] });
    const violations = await page.evaluate(`axe.run(${context}, ${options}).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ' ' + nodes.map(({ html, any }) => html + ' ' + any.map(({ message }) => message)).join(' | ')))`);
    expect(violations).toEqual([]);
  }
}

/** Returns the focused element as a person sees it, and whether it is visible; for a file button, its label. */
const focused = `(() => {
  let active = document.activeElement;
  if (active === document.body) return { id: '', text: '', isSeen: false, isNone: true };
  const seen = active.closest('label.button') ?? active;
  while (active.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return {
    id: active.id,
    text: (active.getAttribute('aria-label') ?? active.labels?.[0]?.textContent ?? active.textContent).trim().slice(0, 200),
    get isSeen() {
      return [seen, active, active.closest('.cm-editor')].some((each) => each && getComputedStyle(each).outlineStyle !== 'none');
    },
    isNone: false,
  };
})()`;
interface Focused {
  readonly id: string;
  readonly text: string;
  readonly isSeen: boolean;
  readonly isNone: boolean;
}

const BURST = 10;
/** Maximum wait of the driver, in ms: a busy machine is slow, not wrong. */
const MAX_WAIT_MS = 120_000;

/**
 * Presses Tab until the focused element has this id or text, and checks that the focus is visible. Waits for an element
 * that does not exist yet.
 */
export async function tabTo(page: Page, wanted: string | RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const isWanted = typeof wanted === 'string' ? `id === ${JSON.stringify(wanted)}` : `${wanted}.test(text)`;
  // Querying the page after each press takes most of the time. Instead the key is held down, and the page ignores it
  // after reaching the target.
  await page.evaluate(`{
    globalThis.isThere = () => {
      const { id, text, isNone } = ${focused};
      return !isNone && ${isWanted};
    };
    globalThis.stopThere ??= (event) => {
      if (event.key === 'Tab' && isThere()) event.preventDefault();
    };
    addEventListener('keydown', stopThere, { capture: true });
  }`);
  const began = performance.now();
  while (!(await page.evaluate('isThere()'))) {
    if (performance.now() - began > MAX_WAIT_MS) throw new Error(`No way by keyboard to ${wanted}`);
    await hold(page, key);
  }
  await page.evaluate(`removeEventListener('keydown', stopThere, { capture: true })`);
  // An editor shows its focus a moment later.
  await expect.poll(() => page.evaluate(`isThere() && ${focused}.isSeen`)).toBe(true);
}

/** Holds the key down until it has come as often as a burst has presses. */
async function hold({ keyboard }: Page, key: 'Tab' | 'Shift+Tab'): Promise<void> {
  if (key === 'Shift+Tab') await keyboard.down('Shift');
  await Promise.all(Array.from({ length: BURST }, () => keyboard.down('Tab')));
  await keyboard.up('Tab');
  if (key === 'Shift+Tab') await keyboard.up('Shift');
}

/** Expects that an element has the focus, so that keyboard use can continue from there. */
export async function expectFocus(page: Page): Promise<void> {
  await expect.poll(async () => ((await page.evaluate(focused)) as Focused).isNone).toBe(false);
}

/** The next question is about this field, and its button puts the keyboard there. */
export async function expectNextQuestion(page: Page, field: string): Promise<void> {
  const next = page.getByRole('region', { name: 'Next question' }).getByRole('button');
  await expect
    .poll(async () => {
      await next.click();
      return page.evaluate('document.activeElement.id');
    })
    .toBe(`home-${field}`);
}

/** Opens the details of a carrier's answer by keyboard. */
export async function openAnswer(page: Page, name: RegExp): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate("document.activeElement.getAttribute('aria-expanded')")).toBe('true');
}

/** Opens a view from the navigation, which precedes all views; the keyboard continues at the view's beginning. */
export async function goTo(page: Page, title: string): Promise<void> {
  await tabTo(page, new RegExp(`^${title}$`), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content');
}

/** Opens the choice of a file by keyboard, and chooses. */
export async function chooseFile(page: Page, id: string, file: Parameters<FileChooser['setFiles']>[0]): Promise<void> {
  await tabTo(page, id);
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Enter')]);
  await chooser.setFiles(file);
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

/** Takes a picture for docs/workbench.md. Written only with `LEEWARD_WRITE_PICTURES=1`. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env['LEEWARD_WRITE_PICTURES'] !== '1') return;
  // Readers need no names that tests try as markup.
  await page.evaluate(`{
    scrollTo(0, 0);
    globalThis.typedMarkup = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode())
      if (!text.parentElement.closest('.cm-editor') && /<[^>]+>/.test(text.data)) {
        typedMarkup.push([text, text.data]);
        text.data = text.data.replace(/<[^>]+>/g, '');
      }
  }`);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(workspace, `docs/workbench/${name}-${colorScheme}.png`) });
  }
  await page.evaluate('for (const [text, data] of typedMarkup) text.data = data');
}
