import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountsMigrations } from '@leeward/accounts';
import { storedRows, type TestPlace, testEngines } from '@leeward/database/testing';
import { quoteMigrations } from '@leeward/quotes';
import { describe, expect, it } from 'vitest';
import { runWords } from '../packages/apps/cli/src/testing/run-words.ts';
import { startQuotingHere } from './support/quoting-service.ts';
import { workspace } from './support/running-leeward.ts';
import { testVolume } from './support/test-volume.ts';

const operatorToken = 'an operator of this very test, and of no other';
const carriers = join(workspace, 'fixtures/carriers');
const homes = testVolume(20);

/** Personal and place values that a request can contain, as unique words and numbers. */
const planted = {
  line1: '4711 Wintergreen Parkway',
  city: 'Quillfeather',
  zipcode: '33109',
  free: 'Zebulon Featherstonehaugh, born 1951-02-03, +1 305 555 0147',
  latitude: 25.512345678,
  longitude: -80.187654321,
  radius: 17.25,
  corner: -80.187123987,
} as const;
const traces = [
  'Wintergreen',
  'Quillfeather',
  '33109',
  'Zebulon',
  'Featherstonehaugh',
  '555 0147',
  '512345',
  '187654',
  '187123',
  '17.25',
];

/** All request fields that identify a home or a person and are not facts. */
function identified(index: number): object {
  const { line1, city, zipcode, free, latitude, longitude, radius, corner } = planted;
  const ring = [
    [corner, latitude],
    [corner + 0.0002, latitude],
    [corner + 0.0002, latitude + 0.0002],
    [corner, latitude],
  ];
  const places = [
    { address: `${line1}, ${city}, FL ${zipcode}` },
    { address: { line1: `${line1} ${index}`, city, state: 'fl', zipcode } },
    { address: `${free} ${index}` },
    { lat: latitude, lng: longitude, radius_meters: radius },
    { footprint: { type: 'Polygon', coordinates: [ring] } },
    {},
  ];
  return places[index % places.length]!;
}

/** All that a store holds, as text. */
async function everythingIn(place: TestPlace, folder: string): Promise<string> {
  if (place.url.startsWith('sqlite:')) {
    const file = place.url.slice('sqlite:'.length);
    const beside = readdirSync(join(file, '..')).map((name) => join(file, '..', name));
    const ours = beside.filter((path) => path.startsWith(file));
    expect(ours.length).toBeGreaterThan(0);
    return ours.map((path) => readFileSync(path, 'latin1')).join('\n');
  }
  const database = await place.open({ migrations: [accountsMigrations, quoteMigrations] });
  const rows = await storedRows(database);
  expect(rows.length).toBeGreaterThan(homes);
  expect(folder).not.toBe('');
  return JSON.stringify(rows);
}

const engines = await testEngines();

describe.each(engines)('Saved decisions on $title', (engine) => {
  it.skipIf(engine.skip !== undefined)(
    `contain only facts, are replayed by a version, and become cases${engine.skip === undefined ? '' : ` (skipped: ${engine.skip})`}`,
    { timeout: 300_000 },
    async () => {
      await using place = await engine.createPlace();
      const folder = mkdtempSync(join(tmpdir(), 'leeward-saved-decisions-'));
      const environment = {
        LEEWARD_DATA_DIR: folder,
        LEEWARD_DATABASE_URL: place.url,
        LEEWARD_OPERATOR_TOKEN: operatorToken,
        LEEWARD_RATE_LIMIT: '0',
        LEEWARD_ITEM_LIMIT: '0',
        LEEWARD_CAPTURE: '1',
        LEEWARD_LOG_LEVEL: 'silent',
      };
      const service = await startQuotingHere(['serve', '--carriers', carriers, '--port', '0'], environment);
      try {
        const url = /Leeward is up at (\S+)/.exec(service.output())![1]!;
        const post = async (path: string, token: string, body: unknown) => {
          const response = await fetch(`${url}${path}`, {
            method: 'POST',
            headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
            body: JSON.stringify(body),
          });
          const answer = (await response.json()) as Record<string, unknown>;
          expect([path, response.status, answer['errors']]).toEqual([path, 200, undefined]);
          return answer;
        };
        const admin = (path: string, body: unknown) => post(`/v1/admin/${path}`, operatorToken, body);
        const { organization_id } = await admin('organizations/create', { name: 'Suncoast Agency' });
        const { token } = (await admin('tokens/create', { organization_id })) as { token: string };
        for (let index = 0; index < homes; index++) {
          const facts = {
            state: 'fl',
            county: 'miami-dade',
            policy_type: 'ho3',
            total_claims: index % 5,
            year_built: 1990,
          };
          const home = { ...facts, dwelling_a: 400_000 + 1000 * (index % 7), ...identified(index) };
          await post('/v1/underwrite/home', token, home);
        }
        const saved = async () => {
          const { items } = (await admin('saved-decisions/list', { limit: 200 })) as {
            items: { home: object; decision_id: string }[];
          };
          return items;
        };
        await expect
          .poll(async () => (await saved()).length, { timeout: 20_000, interval: 250 })
          .toBe(Math.min(200, homes));

        // The values are in the requests, and in no stored record.
        const asked = JSON.stringify(Array.from({ length: homes }, (_, index) => identified(index)));
        for (const trace of traces) expect([trace, asked.includes(trace)]).toEqual([trace, true]);
        const kept = await everythingIn(place, folder);
        expect(kept).toContain('miami-dade');
        for (const trace of traces) expect([trace, kept.includes(trace)]).toEqual([trace, false]);

        const run = (words: readonly string[]) =>
          runWords(words, { folder, environment: { LEEWARD_URL: url, LEEWARD_TOKEN: operatorToken } });
        const file = JSON.parse(readFileSync(join(carriers, 'brackish_bay/rule-set.json'), 'utf8')) as Record<
          string,
          unknown
        >;
        const claims = {
          id: 'one-claim',
          outcome: 'decline',
          code: 'x_one_claim',
          when: { all: [{ fact: 'total_claims', operator: 'greaterThan', value: 0 }] },
          message: 'One claim is one too many.',
        };
        writeFileSync(
          join(folder, 'rule-set.json'),
          JSON.stringify({ ...file, version: 'one claim', rules: [...((file['rules'] ?? []) as object[]), claims] }),
        );
        writeFileSync(join(folder, 'same.json'), JSON.stringify(file));
        const same = await run(['rules', 'replay', 'same.json', '--saved']);
        expect([same.code, same.output]).toEqual([
          0,
          `${homes.toLocaleString('en-US')} saved decisions: 0 are answered differently from the version in force.\n`,
        ]);
        const other = await run(['rules', 'replay', 'rule-set.json', '--saved', '--max', '3']);
        expect(other.code).toBe(1);
        const changed = Number(
          /decisions: ([\d,]+) (?:are|is) answered differently/.exec(other.output)![1]!.replaceAll(',', ''),
        );
        expect(changed).toBe(homes - Math.ceil(homes / 5));
        expect(other.output).toContain('by rule: one-claim');
        const [, id] = /^ {2}([a-z0-9]{26}): ho3 in FL, /m.exec(other.output)!;

        const promoted = await run(['rules', 'promote', id!, 'rule-set.json']);
        expect([promoted.code, promoted.output]).toEqual([1, expect.stringContaining('cases.json: case 1 was added.')]);
        expect(promoted.output).toContain('disagrees');
        const again = await run(['rules', 'promote', id!, 'same.json', '--note', 'As it was.']);
        expect([again.code, again.output]).toEqual([0, expect.stringContaining('cases.json: case 2 was added.')]);
        const cases = JSON.parse(readFileSync(join(folder, 'cases.json'), 'utf8')) as { note: string }[];
        expect(cases.map(({ note }) => note)).toEqual([expect.stringContaining(id!), 'As it was.']);

        const { review } = (await admin('rule-sets/propose', {
          rule_set: JSON.parse(readFileSync(join(folder, 'rule-set.json'), 'utf8')),
        })) as { review: { saved: object } };
        expect(review.saved).toMatchObject({ homes, changed });

        const { team_id } = await admin('teams/create', { organization_id, name: 'Watchers' });
        const { token: team } = (await admin('tokens/create', {
          organization_id,
          team_id,
          scopes: ['quote', 'insured'],
        })) as {
          token: string;
        };
        const byDecision = { reference: 'saved', decision_id: id };
        const watched = await post('/api/v1/watched-homes/create', team, byDecision);
        expect(watched).toMatchObject({ counts: { eligible: expect.any(Number) }, warnings: expect.any(Array) });
        const { watched_home_id } = watched;
        const watching = { folder, environment: { LEEWARD_URL: url, LEEWARD_TOKEN: team } };
        const added = await runWords(['watch', 'add', '--reference', 'by hand', '--decision', id!], watching);
        expect([added.code, JSON.parse(added.output)]).toMatchObject([
          0,
          { reference: 'by hand', counts: watched['counts'] },
        ]);
        const { home } = await post('/api/v1/watched-homes/get', team, { watched_home_id });
        expect(home).toMatchObject({ state: 'fl', county: 'miami-dade', policy_type: 'ho3', year_built: 1990 });
      } finally {
        await service.stop();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
});
