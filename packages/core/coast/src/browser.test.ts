import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, openChromium } from '../../../../test/support/chromium.ts';
import { testVolume } from '../../../../test/support/test-volume.ts';
import { createCoast } from './answer/create-coast.ts';
import { type CoastAnswerPresentation, presentCoastAnswer } from './answer/present-coast-answer.ts';
import { encodeCoastIndex, openCoastIndex } from './search/coast-index-file.ts';
import { ownUnitedStatesIndex, unitedStatesShoreline } from './testing/natural-earth.ts';
import { seededRandom } from './testing/seeded-random.ts';
import { testPoints } from './testing/test-points.ts';
import { buildTiles } from './tiles/build-tiles.ts';

async function bundleRoot(contents: string): Promise<{ readonly text: string; readonly inputs: string[] }> {
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

describe('the root import', () => {
  it('is small, loads only geographiclib and a hash, and runs without threads and Node', async () => {
    const { text, inputs } = await bundleRoot(`export * from './index.ts';`);
    const packages = inputs
      .filter((path) => path.includes('node_modules/'))
      .map((path) => path.split('node_modules/').at(-1)!);
    expect(new Set(packages.map((path) => path.split('/')[0]))).toEqual(new Set(['@noble', 'geographiclib-geodesic']));
    expect(inputs.filter((path) => path.includes('/tiles/') || path.startsWith('node:'))).toEqual([]);
    expect(text.length).toBeLessThan(135_000);
    expect(text).not.toMatch(/\beval\(|new Function/);
    // Without a conflation, bundlers leave the hash out.
    const coast = await bundleRoot(`export { createCoast, openCoastIndex, presentCoastAnswer } from './index.ts';`);
    expect(coast.text.length).toBeLessThan(90_000);
  });
});

const PAGE = `<!doctype html><meta charset="utf-8"><title>coast</title><script type="module" src="/page.js"></script>`;
const POLICY =
  "default-src 'none'; script-src 'self'; connect-src 'self'; require-trusted-types-for 'script'; base-uri 'none'; form-action 'none'";

describe.skipIf(!hasChromium)('a page in a browser', () => {
  const shoreline = unitedStatesShoreline();
  const index = ownUnitedStatesIndex();
  const points = testPoints(shoreline, testVolume(100), seededRandom(51));
  let server: Server;
  let origin: string;

  beforeAll(async () => {
    buildTiles(index, { definitions: ['tidal'], boxes: [{ west: -84, south: 25, east: -80.1, north: 30.9 }] });
    const bytes = encodeCoastIndex(index);
    const { text } = await bundleRoot(`
      import { createCoast, openCoastIndex, presentCoastAnswer } from './index.ts';
      const [bytes, points] = await Promise.all([
        fetch('/coast.index').then((response) => response.arrayBuffer()),
        fetch('/points.json').then((response) => response.json()),
      ]);
      const coast = createCoast(openCoastIndex(new Uint8Array(bytes)));
      globalThis.answers = points.map((point) => presentCoastAnswer(coast.nearest(point)));
    `);
    server = createServer((request, response) => {
      const files: Record<string, readonly [string, string | Uint8Array]> = {
        '/': ['text/html', PAGE],
        '/page.js': ['text/javascript', text],
        '/coast.index': ['application/octet-stream', bytes],
        '/points.json': ['application/json', JSON.stringify(points)],
      };
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

  it('answers under a strict content security policy like Node', async () => {
    const browser = await openChromium();
    try {
      const page = await browser.newPage();
      const faults: string[] = [];
      page.on('pageerror', (error) => faults.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error' && !message.text().includes('favicon')) faults.push(message.text());
      });
      await page.goto(origin);
      await page.waitForFunction(() => 'answers' in globalThis, undefined, { timeout: 30_000 });
      const shown = await page.evaluate(
        () => (globalThis as unknown as { answers: CoastAnswerPresentation[] }).answers,
      );
      expect(faults.filter((fault) => !fault.includes('404'))).toEqual([]);
      const coast = createCoast(openCoastIndex(encodeCoastIndex(index)));
      expect(shown).toHaveLength(points.length);
      const expected = points.map((point) => presentCoastAnswer(coast.nearest(point)));
      const isFar = (at: number) => expected[at]!.distance.raw.meters > 2_000_000;
      expect(shown.filter((_, at) => !isFar(at))).toEqual(expected.filter((_, at) => !isFar(at)));
      // Karney's library uses the engine's sines, whose last digits differ.
      expected.forEach(({ distance }, at) => {
        if (isFar(at)) expect(shown[at]!.distance.raw.meters).toBeCloseTo(distance.raw.meters, 6);
      });
    } finally {
      await browser.close();
    }
  });
});
