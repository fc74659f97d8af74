import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { oneCarrier } from '../testing/one-carrier.ts';
import { runWords } from '../testing/run-words.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const asOf = '2026-11-20T12:00:00Z';
const storm = { id: 'al05', kind: 'hurricane', name: 'Elena', states: ['tx'], from: '2026-11-19T00:00:00Z' };
const home = { state: 'tx', county: 'harris', policy_type: 'ho3', total_claims: 0, year_built: 2001 };
const moratoria = [
  {
    id: 'storm',
    when: {
      all: [
        {
          count: 'events',
          where: { all: [{ fact: 'kind', operator: 'equal', value: 'hurricane' }] },
          operator: 'greaterThan',
          value: 0,
        },
      ],
    },
    message: 'Suspended: {event}.',
  },
];

/** A carrier without other rules than a moratorium on hurricanes. */
function folderOfStorm() {
  const file = JSON.parse(readFileSync(oneCarrier.LEEWARD_CARRIERS, 'utf8')) as Record<string, unknown>;
  const programs = (file['programs'] as readonly object[]).map((program) => ({ ...program, rules: [] }));
  return temporaryFolder({
    'carriers/bayou_mutual/rule-set.json': JSON.stringify({ ...file, rules: [], programs, moratoria }),
    'book.ndjson': `${JSON.stringify(home)}\n`,
    'home.json': JSON.stringify({ ...home, as_of: asOf }),
    'storm.json': JSON.stringify([storm]),
    'wrapped.json': JSON.stringify({ events: [storm] }),
    'none.json': '[]',
    'wrong.json': JSON.stringify([storm, { ...storm, id: 'b', kind: 'hurricain' }], null, 1),
  });
}

const answers = [
  [[], 'needs_information'],
  [['--events', 'storm.json'], 'ineligible'],
  [['--events', 'wrapped.json'], 'ineligible'],
  [['--events', 'none.json'], 'eligible'],
] as const;

describe('--events', () => {
  it('answers in a book, a stream and for one home alike', async () => {
    using folder = folderOfStorm();
    const run = (words: readonly string[], input?: string) =>
      runWords(words, {
        folder: folder.path,
        environment: { LEEWARD_CARRIERS: 'carriers' },
        ...(input ? { input } : {}),
      });
    const read = (name: string) => readFileSync(join(folder.path, name), 'utf8');
    const hint =
      'Events are unknown, but rules of bayou_mutual test them: give a JSON list with --events FILE, [] for none.';
    for (const [place, [words, status]] of answers.entries()) {
      const terms = [...words, '--as-of', asOf];
      const whole = await run(['book', 'run', 'book.ndjson', '--out', `${place}.ndjson`, '--threads', '1', ...terms]);
      expect([whole.code, whole.errors.split(hint).length - 1]).toEqual([0, words.length === 0 ? 1 : 0]);
      expect(JSON.parse(read(`${place}.ndjson`))).toMatchObject({ statuses: { bayou_mutual: status } });

      const stream = await run(['book', 'filter', ...terms], read('book.ndjson'));
      expect(JSON.parse(String(stream.bytes))).toMatchObject({ statuses: { bayou_mutual: status } });
      expect(stream.errors.includes(hint)).toBe(words.length === 0);

      const one = await run(['underwrite', 'home.json', '--json', ...words]);
      const { carriers, declined } = JSON.parse(one.output) as Record<string, readonly { readonly status: string }[]>;
      expect([...carriers!, ...declined!].map((verdict) => verdict.status)).toEqual([status]);
    }
  });

  it.each(['book run book.ndjson', 'book filter', 'underwrite home.json'])(
    'of %s refuses an event with its file, line and place',
    async (words) => {
      using folder = folderOfStorm();
      const run = (file: string) =>
        runWords([...words.split(' '), '--events', file], {
          folder: folder.path,
          environment: { LEEWARD_CARRIERS: 'carriers' },
        });
      const { code, errors } = await run('wrong.json');
      expect(code).not.toBe(0);
      expect(errors).toMatch(/wrong\.json:\d+ {2}\/1\/kind\n.*hurricain.*hurricane/);
      expect((await run('absent.json')).errors).toContain('There is no file absent.json.');
      if (words === 'book filter') expect((await run('-')).errors).toContain('--events is "-"; give a file');
    },
  );
});
