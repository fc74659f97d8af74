import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { recordDecision } from '@leeward/authoring/replay';
import {
  type CatalogEntry,
  createCatalog,
  explainDecision,
  parseRequest,
  STATUS_CODES,
  whatWouldChange,
} from '@leeward/engine';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, openChromium } from './support/chromium.ts';
import { cellsOfRow } from './support/test-volume.ts';

const fixtures = new URL('../fixtures/', import.meta.url);
const read = (path: string): unknown => JSON.parse(readFileSync(new URL(path, fixtures), 'utf8'));
const entries: CatalogEntry[] = readdirSync(new URL('carriers/', fixtures)).flatMap((key) =>
  readdirSync(new URL(`carriers/${key}/`, fixtures))
    .filter((name) => name.startsWith('rule-set'))
    .map((name) => ({ name: `${key}/${name}`, file: read(`carriers/${key}/${name}`) })),
);
/** Some every day, all of them at night. */
const names = cellsOfRow(readdirSync(new URL('homes/', fixtures)).sort(), 0, 3);
const homes = names.map((name) => read(`homes/${name}`));
const now = '2026-11-20T12:00:00.000Z';

/** Returns all answers of the engine for every home as one text. Runs unchanged in Node and in a page. */
async function answerAll(engine: Engine, given: Given): Promise<string> {
  const catalog = engine.createCatalog(given.entries);
  const reference = engine.createCatalog(given.entries, { evaluator: 'reference' });
  const answers: unknown[] = [];
  for (const [index, home] of given.homes.entries()) {
    const parsed = engine.parseRequest(home, { now: new Date(given.now) });
    if (!parsed.ok) {
      answers.push(parsed.faults);
      continue;
    }
    const { property, warnings } = parsed.request;
    const explained = await engine.explainDecision(catalog, property);
    const { record } = await engine.recordDecision(catalog, property);
    const changes = explained.verdicts
      .filter((verdict) => verdict.status === 'ineligible')
      .map(({ carrierKey, policyType }) => engine.whatWouldChange(catalog, property, { carrierKey, policyType }));
    const statuses = [...catalog.statusCodes(property)].map((code) => engine.STATUS_CODES[code]);
    // The json-rules-engine evaluator is slow: a few homes show that it runs here at all.
    const slow = index % 8 === 0 ? await reference.decide(property) : null;
    answers.push({ warnings, explained, record, changes, statuses, slow });
  }
  return JSON.stringify(answers);
}

interface Given {
  readonly entries: readonly CatalogEntry[];
  readonly homes: readonly unknown[];
  readonly now: string;
}
const engineInNode = {
  createCatalog,
  parseRequest,
  explainDecision,
  recordDecision,
  whatWouldChange,
  STATUS_CODES,
};
type Engine = typeof engineInNode;

/** The package as a page would bundle it. */
async function bundle(contents: string): Promise<{ readonly text: string; readonly inputs: readonly string[] }> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    write: false,
    minify: true,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['@leeward/source'],
  });
  return { text: outputFiles[0]!.text, inputs: Object.keys(metafile.inputs) };
}

describe('the engine, bundled for a page', () => {
  it('is small, and contains no Node module', async () => {
    const { text, inputs } = await bundle(`export * from '@leeward/engine';`);
    expect(inputs.filter((path) => path.startsWith('node:') || path.includes('/authoring/'))).toEqual([]);
    if (process.env['LEEWARD_TEST_VOLUME'])
      console.log(text.length, 'bytes,', gzipSync(text, { level: 9 }).length, 'gzipped');
    expect(text.length).toBeLessThan(658_000);
    expect(gzipSync(text, { level: 9 }).length).toBeLessThan(239_000);
  });
});

const PAGE = `<!doctype html><meta charset="utf-8"><title>engine</title>
<script src="/listen.js"></script><script type="module" src="/page.js"></script>`;
/** Listens before the engine is loaded. */
const LISTEN = `
  globalThis.violations = [];
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
    globalThis.violations.push(violatedDirective + ' ' + blockedURI);
  });`;
const POLICY =
  "default-src 'none'; script-src 'self'; connect-src 'self'; require-trusted-types-for 'script'; base-uri 'none'; form-action 'none'";

interface Page {
  readonly seen: { readonly answers: string; readonly blocked: readonly string[] };
  readonly violations: readonly string[];
}

describe.skipIf(!hasChromium)('the engine in a browser', () => {
  let server: Server;
  let origin: string;

  beforeAll(async () => {
    const { text } = await bundle(`
      import * as decisions from '@leeward/engine';
      import { recordDecision } from '@leeward/authoring/replay';
      const engine = { ...decisions, recordDecision };
      ${answerAll.toString()}
      const given = await fetch('/given.json').then((response) => response.json());
      const answers = await answerAll(engine, given).catch((error) => String(error.stack));
      // Were code from text allowed after all, the test would show nothing.
      const blocked = [];
      try { new Function(''); } catch { blocked.push('Function'); }
      const wasm = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
      await WebAssembly.compile(wasm).catch(() => blocked.push('WebAssembly'));
      globalThis.seen = { answers, blocked };
    `);
    const files: Record<string, readonly [string, string]> = {
      '/': ['text/html', PAGE],
      '/listen.js': ['text/javascript', LISTEN],
      '/page.js': ['text/javascript', text],
      '/given.json': ['application/json', JSON.stringify({ entries, homes, now })],
    };
    server = createServer((request, response) => {
      const file = files[request.url ?? ''];
      if (file === undefined) response.writeHead(404).end();
      else response.writeHead(200, { 'content-type': file[0], 'content-security-policy': POLICY }).end(file[1]);
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it(`answers ${homes.length} fixture homes as in Node, under a policy that forbids code from text`, async () => {
    const browser = await openChromium();
    try {
      const page = await browser.newPage();
      const faults: string[] = [];
      page.on('pageerror', (error) => faults.push(error.message));
      await page.goto(origin);
      await page.waitForFunction(() => 'seen' in globalThis, undefined, { timeout: 50_000 });
      const { seen, violations } = await page.evaluate(() => {
        const { seen, violations } = globalThis as unknown as Page;
        return { seen, violations };
      });
      expect(seen.blocked).toEqual(['Function', 'WebAssembly']);
      // Those two tries, and none of the engine's own.
      expect(violations).toEqual(['require-trusted-types-for trusted-types-sink', 'script-src wasm-eval']);
      expect(faults).toEqual([]);
      const expected = JSON.parse(await answerAll(engineInNode, { entries, homes, now })) as unknown[];
      const shown = JSON.parse(seen.answers) as unknown[];
      expect(shown).toHaveLength(homes.length);
      homes.forEach((_, index) => {
        expect(shown[index]).toEqual(expected[index]);
      });
    } finally {
      await browser.close();
    }
  });
});
