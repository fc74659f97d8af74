import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AnswerServer, respondText, startAnswerServer } from '@leeward/places/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runWords } from '../packages/apps/cli/src/testing/run-words.ts';
import { startLeeward } from './support/leeward-process.ts';
import { nodeFlags } from './support/node-flags.ts';
import { workspace } from './support/running-leeward.ts';
import { smallCoastline } from './support/small-coastline.ts';
import { testVolume } from './support/test-volume.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'leeward-batch-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const at = (name: string) => join(folder, name);
const read = (name: string) => readFileSync(at(name), 'utf8');

// A small coastline is near enough to any home to answer for it.
const batch = ['coast', 'batch', 'homes.csv', '--index', smallCoastline.LEEWARD_COASTLINES];

/** Starts a separate process, to be stopped in the middle. */
function start(words: readonly string[], environment: Record<string, string>) {
  return startLeeward([...batch, ...words], { folder, environment });
}

/** To its end, in this process. */
function runHere(words: readonly string[], environment: Record<string, string> = {}) {
  return runWords([...batch, ...words], { folder, environment });
}

describe('a batch of homes that is killed', () => {
  /** Cells with commas, quotes and line ends, which could split a record. */
  const note = (index: number) => (index % 3 === 0 ? `"note ""${index}"", first line\nsecond"` : `note ${index}`);

  beforeEach(() => {
    const rows = Array.from({ length: testVolume(4_000) }, (_, index) => {
      const where = index % 10 === 9 ? `north,${index}` : `${25 + (index % 200) / 10},${-97 + (index % 170) / 10}`;
      return `${index},${note(index)},${where}`;
    });
    writeFileSync(at('homes.csv'), `id,note,lat,lng\n${rows.join('\n')}\n`);
  });

  /** Runs the program itself, and kills it with no warning as soon as it has written so much. */
  async function killAfter(bytes: number, output: string): Promise<void> {
    const program = join(workspace, 'packages/apps/cli/src/main.ts');
    const words = [...batch, '--output', output];
    const { NODE_COMPILE_CACHE, NODE_OPTIONS } = process.env;
    const env = { NODE_COMPILE_CACHE, NODE_OPTIONS };
    const child = spawn(process.execPath, [...nodeFlags, program, ...words], { cwd: folder, env, stdio: 'ignore' });
    const ended = once(child, 'exit');
    const size = () => statSync(at(`${output}.partial`), { throwIfNoEntry: false })?.size ?? 0;
    while (child.exitCode === null && size() < bytes) await sleep(2);
    child.kill('SIGKILL');
    await ended;
    expect(child.signalCode).toBe('SIGKILL');
  }

  it.each(['out.csv', 'out.ndjson'])('goes on where it was, no line twice or torn: %s', async (output) => {
    const whole = await runHere(['--output', `whole.${output}`]);
    expect(whole).toMatchObject({ code: 0, errors: expect.not.stringContaining('Went on') });
    const expected = read(`whole.${output}`);
    const partial = `${output}.partial`;
    let before = 0;
    for (const share of output.endsWith('.csv') ? [0.1, 0.5] : [0.3]) {
      await killAfter(expected.length * share, output);
      expect(existsSync(at(output))).toBe(false);
      const written = read(partial);
      expect(written.length).toBeGreaterThan(before);
      expect(expected.startsWith(written)).toBe(true);
      before = written.length;
    }
    const last = await runHere(['--output', output]);
    expect(last.code).toBe(0);
    expect(last.errors).toMatch(/Went on behind [\d,]+ homes of an earlier run/);
    expect(read(output) === expected).toBe(true);
    // The summary counts what all runs wrote.
    expect(last.output.replaceAll(output, '')).toBe(whole.output.replaceAll(`whole.${output}`, ''));
    for (const name of [partial, `${output}.progress`]) expect(existsSync(at(name))).toBe(false);
  });
});

describe('a batch of homes whose geocoder goes away', () => {
  let server: AnswerServer;
  let isAway: (asked: number) => boolean;
  afterEach(() => server.close());

  const place = (number: string) =>
    JSON.stringify({
      type: 'FeatureCollection',
      features: [
        {
          geometry: { type: 'Point', coordinates: [-80.1299, 25.7891] },
          properties: {
            type: 'house',
            housenumber: number,
            street: 'Ocean Drive',
            state: 'Florida',
            postcode: '33139',
          },
        },
      ],
    });
  beforeEach(async () => {
    const rows = Array.from({ length: 12 }, (_, index) => `"${index + 1} Ocean Dr, Miami Beach, FL 33139"`);
    writeFileSync(at('homes.csv'), `address\n${rows.join('\n')}\n`);
    let asked = 0;
    server = await startAnswerServer((request, response) => {
      asked += 1;
      const number = /q=(\d+)/.exec(request.url ?? '')?.[1] ?? '';
      const respond = isAway(asked)
        ? respondText('<h1>Bad gateway</h1>', 'text/html', 502)
        : respondText(place(number), 'application/json');
      respond(request, response);
    });
  });
  const environment = () => ({
    LEEWARD_GEOCODERS: 'photon',
    LEEWARD_PHOTON_URL: server.baseUrl,
    LEEWARD_PHOTON_RATE: '0',
  });

  it('lets no second run into its file, stops when asked to, and goes on', async () => {
    isAway = (asked) => asked > 5;
    const run = start(['--concurrency', '1', '--output', 'out.ndjson'], environment());
    while (server.requests.length < 6) await sleep(5);
    const second = await runHere(['--output', 'out.ndjson', '--restart'], environment());
    expect(second).toMatchObject({ code: 1, errors: expect.stringContaining('Another run is writing out.ndjson') });
    run.process.kill('SIGINT');
    const { code, errors } = await run.ended;
    expect({ code, errors }).toEqual({ code: 1, errors: 'leeward: Stopped. The same command goes on where it was.\n' });
    expect(read('out.ndjson.partial').trimEnd().split('\n')).toHaveLength(5);
    isAway = () => false;
    const last = await runHere(['--output', 'out.ndjson'], environment());
    expect(last.output).toContain('known by: the building 12');
    expect(new Set(read('out.ndjson').trimEnd().split('\n')).size).toBe(12);
  });
});
