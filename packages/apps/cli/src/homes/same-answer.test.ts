import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCatalog } from '@leeward/engine';
import { createLeeward } from '@leeward/http';
import { beforeAll, describe, expect, it } from 'vitest';
import { openDistances } from '../serve/open-distances.ts';
import { runWords } from '../testing/run-words.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const ruleSet = (nearestMiles: number) => ({
  format: 1,
  carrier: { key: 'gull', name: 'Gull' },
  line: 'home',
  version: '2026.1.1',
  effective: { from: '2026-01-01', until: null },
  rules: [
    {
      id: 'shore',
      outcome: 'decline',
      code: 'distance_to_coast',
      when: { all: [{ fact: 'distance_to_coast_miles', operator: 'lessThan', value: nearestMiles }] },
      message: 'Too near the shore.',
    },
  ],
  programs: [{ id: 'homes', policy_types: ['ho3'], states: ['tx', 'fl'] }],
});

const at = { policy_type: 'ho3', as_of: '2026-11-20T12:00:00Z' };
const homes = [
  { ...at, state: 'tx', lat: 32.7767, lng: -96.797 },
  { ...at, state: 'fl', lat: 25.7826, lng: -80.1341 },
  { ...at, state: 'fl', lat: 28.0395, lng: -81.9498 },
  { ...at, state: 'tx', address: 'Austin, TX 78701' },
  { ...at, state: 'fl', address: 'Miami Beach, FL 33139' },
  { ...at, state: 'fl', address: { zipcode: '33801' } },
  { ...at, state: 'tx', address: 'PO Box 12, Austin, TX 78701' },
  { ...at, state: 'tx', distance_to_coast_miles: 300 },
  { ...at, state: 'tx' },
];

const caller = { tokenId: 'tok', scopes: new Set(['underwrite']), organizationId: null, teamId: null };

const answers = async (file: object) => {
  const service = createLeeward({
    directory: { authenticate: async () => caller },
    underwriting: { catalog: createCatalog([{ file }]) },
    distance: await openDistances({ dataFolder: '/nowhere' }),
    overload: { maxInFlight: null, maxDelayMs: null },
  });
  return Promise.all(
    homes.map(async (home) => {
      const headers = { authorization: 'Bearer x', 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify(home) };
      const response = await service.fetch(new Request('http://local/v1/underwrite/home', init));
      return (await response.json()) as Answer;
    }),
  );
};

interface Answer {
  readonly carriers: readonly { readonly status: string }[];
  readonly declined: readonly { readonly status: string }[];
  readonly distances?: unknown;
  readonly warnings: unknown;
}
const statusOf = ({ carriers, declined }: Answer) => [...carriers, ...declined][0]?.status;

describe('the same home has the same answer in every interface', () => {
  let overHttp: readonly Answer[];
  beforeAll(async () => {
    overHttp = await answers(ruleSet(22));
  });
  const setUp = () =>
    temporaryFolder({
      'gull/rule-set.json': JSON.stringify(ruleSet(22)),
      'near/rule-set.json': JSON.stringify(ruleSet(0.01)),
      'book.ndjson': homes.map((home) => `${JSON.stringify(home)}\n`).join(''),
    });

  it('over HTTP, by its distance', () => {
    expect(overHttp.map(statusOf)).toEqual([
      'eligible',
      'ineligible',
      'needs_information',
      'eligible',
      'ineligible',
      'needs_information',
      'needs_information',
      'eligible',
      'needs_information',
    ]);
  });

  it('by underwrite and by rules explain', async () => {
    using folder = setUp();
    for (const index of [0, 5, 7]) {
      const home = homes[index]!;
      const given = { folder: folder.path, input: JSON.stringify(home) };
      const underwritten = await runWords(['underwrite', '-', '--carriers', 'gull', '--json'], given);
      const { distances, warnings, carriers, declined } = JSON.parse(underwritten.output) as Answer;
      expect({ distances, warnings, carriers, declined }).toEqual(
        (({ distances, warnings, carriers, declined }) => ({ distances, warnings, carriers, declined }))(
          overHttp[index]!,
        ),
      );
      const words = ['rules', 'explain', 'gull/rule-set.json', '-', '--policy-type', 'ho3', '--format', 'json'];
      const explained = JSON.parse((await runWords(words, given)).output) as {
        verdicts: { status: string }[];
        distances?: unknown;
      };
      expect(explained.verdicts.map(({ status }) => status)).toEqual([statusOf(overHttp[index]!)]);
      expect(explained.distances).toEqual(overHttp[index]!.distances);
    }
  });

  it('by book run, also as CSV, and by diff --book', async () => {
    using folder = setUp();
    const columns = ['policy_type', 'state', 'lat', 'lng', 'address', 'distance_to_coast_miles'];
    const rows = homes
      .slice(0, 5)
      .map((home) => columns.map((name) => JSON.stringify((home as never)[name] ?? '')).join(';'));
    writeFileSync(join(folder.path, 'book.csv'), `${columns.join(';')}\n${rows.join('\n')}\n`);
    const statusesOf = async (file: string) => {
      const out = `${file}.out.ndjson`;
      const words = [
        'book',
        'run',
        file,
        '--carriers',
        'gull',
        '--as-of',
        at.as_of,
        '--out',
        out,
        '--json',
        '--reasons',
      ];
      const { code, output } = await runWords(words, { folder: folder.path });
      expect(code).toBe(0);
      const lines = readFileSync(join(folder.path, out), 'utf8').trimEnd().split('\n');
      return {
        summary: JSON.parse(output) as { by_reason: unknown; carriers: { counts: Record<string, number> }[] },
        statuses: lines.map((line) => (JSON.parse(line) as { statuses: { gull: string } }).statuses.gull),
      };
    };
    const { statuses, summary } = await statusesOf('book.ndjson');
    expect(statuses).toEqual(overHttp.map(statusOf));
    expect(summary.by_reason).toEqual({ distance_to_coast: 2 });
    expect(summary.carriers[0]?.counts).toMatchObject({ eligible: 3, ineligible: 2, needs_information: 4 });
    expect((await statusesOf('book.csv')).statuses).toEqual(overHttp.slice(0, 5).map(statusOf));

    const words = [
      'rules',
      'diff',
      'gull/rule-set.json',
      'near/rule-set.json',
      '--format',
      'json',
      '--as-of',
      at.as_of,
    ];
    const nearer = await answers(ruleSet(0.01));
    const wanted = overHttp.flatMap((answer, index) =>
      statusOf(answer) === statusOf(nearer[index]!) ? [] : [[index + 1, statusOf(answer), statusOf(nearer[index]!)]],
    );
    expect(wanted.length).toBeGreaterThan(1);
    const diff = await runWords([...words, '--book', 'book.ndjson'], { folder: folder.path });
    const { which } = (JSON.parse(diff.output) as { book: { which: Record<string, unknown>[] } }).book;
    expect(which.map(({ line, before, after }) => [line, before, after])).toEqual(wanted);
  });
});

/** 01:00 UTC: the evening before in every state but Guam and its neighbors. */
describe('in the evening of the western hemisphere, with the machine in Honolulu', () => {
  const now = () => new Date('2026-11-21T01:00:00Z');
  const home = (state: string) => JSON.stringify({ state, policy_type: 'ho3' });
  const zone = process.env['TZ'];
  beforeAll(() => {
    process.env['TZ'] = 'Pacific/Honolulu';
    return () => {
      if (zone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zone;
    };
  });

  it('puts new rules into force in every interface, on the date of the state', async () => {
    using folder = temporaryFolder();
    const run = (words: readonly string[], input = home('tx')) => runWords(words, { folder: folder.path, now, input });
    expect((await run(['rules', 'new', 'mine'])).code).toBe(0);
    const { effective } = JSON.parse(readFileSync(join(folder.path, 'mine/rule-set.json'), 'utf8')) as {
      effective: { from: string };
    };
    expect(effective.from).toBe('2026-11-20');
    const { output } = await run(['underwrite', '-', '--carriers', 'mine', '--json']);
    expect(JSON.parse(output)).toMatchObject({ effective_date: '2026-11-20', counts: { not_offered: 0 } });
    expect((await run(['underwrite', '-', '--carriers', 'mine'])).output).toContain('effective 2026-11-20');
    const elsewhere = await run(['underwrite', '-', '--carriers', 'mine'], home('fl'));
    expect(elsewhere.output).toMatch(/No HO3 program in FL: My Carrier/);
    const before = JSON.stringify({ state: 'tx', policy_type: 'ho3', effective_date: '2026-11-19' });
    const tooEarly = await run(['underwrite', '-', '--carriers', 'mine'], before);
    expect(tooEarly.output).toMatch(/My Carrier: no rule set for this date, /);
    expect((await run(['rules', 'explain', 'mine/rule-set.json', '-'])).output).toContain('effective 2026-11-20');
    expect((await run(['rules', 'analyse', 'mine'])).output).toContain('effective date 2026-11-20');
    writeFileSync(join(folder.path, 'book.ndjson'), `${home('tx')}\n${home('gu')}\n${home('hi')}\n`);
    const book = await run(['book', 'run', 'book.ndjson', '--carriers', 'mine', '--out', 'out.ndjson', '--json']);
    expect(JSON.parse(book.output)).toMatchObject({
      effective_dates: { '2026-11-20': 2, '2026-11-21': 1 },
      rows: 3,
      rejected: 0,
    });
    expect(book.errors).toContain('effective 2026-11-20 and 2026-11-21');
    const lines = readFileSync(join(folder.path, 'out.ndjson'), 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { row: number }).row)).toEqual([1, 2, 3]);
  });
});
