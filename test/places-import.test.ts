import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DistanceResponse } from '@leeward/http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runWords } from '../packages/apps/cli/src/testing/run-words.ts';
import type { DemoKeys } from './support/demo.ts';
import { runLeewardHere } from './support/leeward-here.ts';
import { startLeeward } from './support/leeward-process.ts';
import { nodeFlags } from './support/node-flags.ts';
import { type RunningLeeward, workspace } from './support/running-leeward.ts';
import { testVolume } from './support/test-volume.ts';

/** Addresses of the first import, which is killed behind a checkpoint; LEEWARD_IMPORT_ROWS raises them. */
const isLong = process.env['LEEWARD_IMPORT_ROWS'] !== undefined;
const rows = Number(process.env['LEEWARD_IMPORT_ROWS'] ?? 12_000);
/** Rows of the second import, which gets a separate process in long runs. */
const laterRows = isLong ? rows : 4_000;
const byProcess = isLong || process.env['LEEWARD_TEST_VOLUME'] !== undefined;
/**
 * Requests per second to the service during the import; fewer only if too many wait because the machine cannot keep up.
 */
const askedASecond = isLong ? 200 : Math.min(50, testVolume(12));
const MAX_WAITING = 300;

let folder: string;
let leeward: RunningLeeward;
let keys: DemoKeys;
const environment = () => ({
  PORT: '0',
  LEEWARD_DATA_DIR: join(folder, 'data'),
  LEEWARD_LOG_LEVEL: 'silent',
  LEEWARD_RATE_LIMIT: '0',
  LEEWARD_ORGANIZATION_RATE_LIMIT: '0',
  LEEWARD_ITEM_LIMIT: '0',
  // On a busy machine answers may be late; this test checks their content.
  LEEWARD_MAX_DELAY_MS: '0',
});

/** Houses of one street after another, each `shift` millionths of a degree farther north. */
function csvOf(shift: number, length: number): string {
  const lines = Array.from({ length }, (_, index) => {
    const [street, house] = [Math.floor(index / 100), index % 100];
    const latitude = (30.4 + street * 0.0001 + shift / 1e6).toFixed(6);
    return `${(-87.2 - house * 0.0002).toFixed(6)},${latitude},${100 + 2 * house},STREET ${wordOf(street)} RD,,PENSACOLA,,FL,32503,,`;
  });
  return `LON,LAT,NUMBER,STREET,UNIT,CITY,DISTRICT,REGION,POSTCODE,ID,HASH\n${lines.join('\n')}\n`;
}

/** A name without digits. */
function wordOf(value: number): string {
  return [...String(value)].map((digit) => 'ABCDEFGHIJ'[Number(digit)]).join('');
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'leeward-import-'));
  writeFileSync(join(folder, 'first.csv'), csvOf(0, rows));
  writeFileSync(join(folder, 'second.csv'), csvOf(500, laterRows));
  leeward = runLeewardHere(['serve', '--demo'], { folder, environment: environment() });
  await leeward.says('Stop: Ctrl+C');
  keys = JSON.parse(readFileSync(join(folder, 'data', 'demo.json'), 'utf8')) as DemoKeys;
});
afterAll(async () => {
  await leeward.stop();
  rmSync(folder, { recursive: true });
});

const importWords = (file: string) => ['places', 'import', file, '--source', 'us/fl/escambia'];
const importing = (file: string) => startLeeward(importWords(file), { folder, environment: environment() });

const removeWords = ['places', 'remove', 'us/fl/escambia'];

/** Begins the first import and kills it behind a checkpoint; whether it was under way by then. */
async function killImport(): Promise<boolean> {
  // The program itself: the command may run it as another process, which would live on.
  const program = [...nodeFlags, join(workspace, 'packages/apps/cli/src/main.ts')];
  const killed = spawn(process.execPath, [...program, ...importWords('first.csv')], {
    cwd: folder,
    env: { ...process.env, ...environment() },
    stdio: 'ignore',
  });
  const ended = once(killed, 'close');
  while ((writtenRows() ?? 0) === 0 && killed.exitCode === null) await sleep(5);
  killed.kill('SIGKILL');
  await ended;
  return killed.signalCode === 'SIGKILL';
}

/** The rows that an import has written down, or undefined where none is under way. */
function writtenRows(): number | undefined {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(join(folder, 'data', 'addresses.sqlite'), { readOnly: true });
    const row = database.prepare("SELECT progress FROM source WHERE status = 'loading'").get();
    const progress = String(row?.['progress'] ?? '');
    return progress === '' ? undefined : (JSON.parse(progress) as { rowsRead: number }).rowsRead;
  } catch {
    return undefined;
  } finally {
    database?.close();
  }
}

interface Seen {
  readonly status: number;
  readonly precision: string | undefined;
  readonly latitude: number | undefined;
  readonly askedAt: number;
  readonly answeredAt: number;
}

interface Asking {
  /** Resolves once a house was answered so, however long this machine takes. */
  untilSeen(isIt: (seen: Seen) => boolean): Promise<void>;
  /** Gives what was answered. */
  stop(): Promise<readonly Seen[]>;
}

/** Requests one house after another at the clock's rate, until it is stopped. */
function askOn(): Asking {
  let isStopped = false;
  const answered: Seen[] = [];
  const seen: Promise<Seen>[] = [];
  let [asked, waiting] = [0, 0];
  const begun = performance.now();
  const running = (async () => {
    while (!isStopped) {
      const due = ((performance.now() - begun) / 1_000) * askedASecond;
      for (; asked < due; asked += 1) {
        if (waiting >= MAX_WAITING) continue;
        const street = asked % Math.min(200, laterRows / 100);
        waiting += 1;
        const answer = ask(`150 Street ${wordOf(street)} Rd, Pensacola, FL 32503`, street);
        const told = answer.finally(() => (waiting -= 1));
        seen.push(told);
        void told.then(
          (one) => answered.push(one),
          () => {},
        );
      }
      await sleep(1_000 / askedASecond);
    }
  })();
  return {
    async untilSeen(isIt) {
      while (!answered.some(isIt)) await sleep(20);
    },
    async stop() {
      isStopped = true;
      await running;
      return Promise.all(seen);
    },
  };
}

async function ask(address: string, street: number): Promise<Seen> {
  const askedAt = performance.now();
  const response = await fetch(`${keys.url}/v1/distance-to-coast`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ address }),
  });
  const { location, address: point } = (await response.json()) as Partial<DistanceResponse>;
  return {
    status: response.status,
    precision: location?.precision,
    // Millionths of a degree beyond where the first file has it.
    latitude: point === undefined ? undefined : Math.round((point.lat - 30.4 - street * 0.0001) * 1e6),
    askedAt,
    answeredAt: performance.now(),
  };
}

describe('an import into a service under load', () => {
  it('hides a killed import, resumes it, and replaces the data in one step', {
    timeout: 240_000,
  }, async () => {
    const before: Seen[] = [];
    // On a busy machine an import may be over before it is looked at: then it is taken back, and begun again.
    for (let isKilled = false; !isKilled; ) {
      const asking = askOn();
      isKilled = await killImport();
      const seen = await asking.stop();
      if (isKilled) before.push(...seen);
      else expect(await runWords(removeWords, { folder, environment: environment() })).toMatchObject({ code: 0 });
    }
    expect(before.filter(({ status, precision }) => status !== 200 || precision !== 'zip_centroid')).toEqual([]);
    const list = await runWords(['places', 'list'], { folder, environment: environment() });
    expect(list.output).toContain('Nothing is imported.');

    const during = askOn();
    const resumed = await importing('first.csv').ended;
    expect(resumed).toMatchObject({ code: 0, output: expect.stringContaining('Taken up again at row') });
    expect(resumed.output).toContain(`${rows.toLocaleString('en-US')} houses`);
    const isRooftop = (shift: number) => (one: Seen) => one.precision === 'rooftop' && one.latitude === shift;
    await during.untilSeen(isRooftop(0));
    const second = byProcess
      ? await importing('second.csv').ended
      : await runWords(importWords('second.csv'), { folder, environment: environment() });
    expect(second).toMatchObject({
      code: 0,
      output: expect.stringContaining(`${laterRows.toLocaleString('en-US')} houses`),
    });
    await during.untilSeen(isRooftop(500));
    const answers = await during.stop();
    // By the ZIP code, then as the first file has it, then as the second: nothing between, and never back again.
    const editions = ['zip_centroid', 'rooftop 0', 'rooftop 500'];
    const kinds = answers.map(({ status, precision, latitude }) =>
      status !== 200 ? `status ${status}` : precision === 'rooftop' ? `rooftop ${latitude}` : String(precision),
    );
    expect(kinds.filter((kind) => !editions.includes(kind))).toEqual([]);
    expect(new Set(kinds)).toEqual(new Set(editions));
    const seen = answers.map(({ askedAt, answeredAt }, index) => ({
      askedAt,
      answeredAt,
      edition: editions.indexOf(kinds[index]!),
    }));
    for (const [index, edition] of editions.slice(1).entries()) {
      const firstSeenAt = Math.min(...seen.filter((one) => one.edition === index + 1).map((one) => one.answeredAt));
      const askedLater = seen.filter(({ askedAt }) => askedAt > firstSeenAt);
      expect(
        askedLater.every((one) => one.edition >= index + 1),
        `${edition}, once it was seen`,
      ).toBe(true);
    }
    if (isLong) {
      const seconds = (Math.max(...answers.map(({ askedAt }) => askedAt)) - answers[0]!.askedAt) / 1_000;
      const waits = answers.map(({ askedAt, answeredAt }) => answeredAt - askedAt).toSorted((a, b) => a - b);
      const wait = (share: number) => Math.round(waits[Math.floor(waits.length * share)]!);
      process.stdout.write(
        `${before.length} answers before and ${answers.length} meanwhile (${Math.round(answers.length / seconds)} a second), waited for ${wait(0.5)} ms at the median, ${wait(0.99)} ms at the 99th percentile; ${rows} rows imported twice and ${laterRows} once\n`,
      );
    }
  });

  it('answers a house within a range of the Census Bureau by its number', async () => {
    const ranges = join(import.meta.dirname, '../fixtures/tiger-addrfeat/tl_2021_30059_addrfeat.zip');
    const words = ['places', 'import', ranges, '--source', 'us/mt/meagher', '--attribution', 'U.S. Census Bureau'];
    expect(await runWords(words, { folder, environment: environment() })).toMatchObject({ code: 0 });
    const response = await fetch(`${keys.url}/v1/distance-to-coast`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys.api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ address: '1151 Hwy 360, White Sulphur Springs, MT 59645' }),
    });
    const { location } = (await response.json()) as DistanceResponse;
    expect(location).toEqual({
      source: 'address_book',
      precision: 'interpolated',
      method: 'address_range',
      detail: 'number 1151 of the range 1101 to 1199 on the left side of Hwy 360 (us/mt/meagher)',
      error_radius_meters: expect.any(Number),
      matched_address: '1151 Hwy 360, White Sulphur Springs, MT 59645',
      attribution: 'U.S. Census Bureau',
    });
  });
});
