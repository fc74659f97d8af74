import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { randomAreaTopics } from '../testing/corpus/areas.ts';
import { randomComputedTopics } from '../testing/corpus/computed.ts';
import { randomDetailTopics } from '../testing/corpus/details.ts';
import { randomEventTopics } from '../testing/corpus/events.ts';
import { randomEvidenceTopics } from '../testing/corpus/evidence.ts';
import { makeCorpus } from '../testing/corpus/make-corpus.ts';
import { randomOfferTopics } from '../testing/corpus/offers.ts';
import { randomFileTopics } from '../testing/corpus/random-files.ts';
import { randomTierTopics } from '../testing/corpus/tiers.ts';

const folder = fileURLToPath(new URL('../../conformance/', import.meta.url));
const program = join(folder, 'evaluate.py');
const hasPython = spawnSync('python3', ['--version']).status === 0;
const isRequired = process.env['LEEWARD_REQUIRE_SERVICES'] === '1';

function evaluate(corpusFolder: string) {
  const { status, stdout, stderr } = spawnSync('python3', [program, corpusFolder], { encoding: 'utf8' });
  return { status, lines: stdout.split('\n'), stderr };
}

it('has python3 where services are required', () => {
  if (isRequired) expect(hasPython, 'LEEWARD_REQUIRE_SERVICES is 1, but python3 is missing.').toBe(true);
});

it.skipIf(!hasPython)('the implementation in Python agrees with the whole corpus (needs python3)', () => {
  const { cases } = JSON.parse(readFileSync(join(folder, 'rule-format-1.json'), 'utf8')) as { cases: object[] };
  const count = cases.length;
  const { status, lines, stderr } = evaluate(folder);
  expect({ stderr, lines: lines.slice(0, 10) }).toEqual({
    stderr: '',
    lines: [`${count} of ${count} cases agree, 0 differ.`, ''],
  });
  expect(count).toBeGreaterThan(5_800);
  expect(status).toBe(0);
});

/** Evaluates another corpus with the published vocabulary and places. */
function evaluateOther(corpus: object) {
  const other = mkdtempSync(join(tmpdir(), 'leeward-python-'));
  try {
    for (const name of ['places.json', 'vocabulary-home.json']) copyFileSync(join(folder, name), join(other, name));
    writeFileSync(join(other, 'rule-format-1.json'), JSON.stringify(corpus));
    return evaluate(other);
  } finally {
    rmSync(other, { recursive: true });
  }
}

/** Moratoria with a condition, with an exception and without either. */
const closed = { states: ['tx'], message: 'Closed with {total_claims} claims.' };
const moratoria = [
  {
    ...closed,
    id: 'in-part',
    counties: { tx: { include: ['galveston'] } },
    unless: { any: [{ fact: 'acreage', operator: 'lessThan', value: 3 }] },
  },
  { ...closed, id: 'claims', when: { all: [{ fact: 'total_claims', operator: 'greaterThan', value: 1 }] } },
  { ...closed, id: 'all', from: '2026-11-01T00:00:00Z', counties: { tx: { include: ['brazoria'] } } },
];

it.skipIf(!hasPython)('the implementation in Python agrees on random files (needs python3)', async () => {
  const files = testVolume(30);
  const topics = [
    ...randomFileTopics(files, 8, 7),
    ...randomOfferTopics(files, 8, 8),
    ...randomDetailTopics(files, 8, 9),
    ...randomComputedTopics(files, 8, 10),
    ...randomTierTopics(files, 8, 11),
    ...randomAreaTopics(files, 8, 12),
    ...randomEvidenceTopics(files, 8, 13),
    ...randomEventTopics(files, 8, 15),
    ...randomTierTopics(files, 8, 14).map((topic) => ({
      ...topic,
      name: `${topic.name}-closed`,
      files: topic.files.map((file) => ({ ...file, moratoria })),
    })),
  ];
  const corpus = await makeCorpus(undefined, () => false, topics);
  const statuses = new Set(corpus.cases.map(({ expect: { status } }) => status));
  expect(statuses).toEqual(new Set(['eligible', 'referral', 'needs_information', 'ineligible']));
  expect(evaluateOther(corpus)).toMatchObject({ lines: [`${files * 72} of ${files * 72} cases agree, 0 differ.`, ''] });
});

it.skipIf(!hasPython)('the implementation in Python reports a wrong answer of the corpus (needs python3)', () => {
  const corpus = JSON.parse(readFileSync(join(folder, 'rule-format-1.json'), 'utf8'));
  const [first, second] = corpus.cases;
  const wrong = { ...first, expect: { status: 'referral' } };
  const { status, lines } = evaluateOther({ ...corpus, cases: [wrong, second] });
  expect(status).toBe(1);
  expect(lines.slice(0, 4)).toEqual([
    '1 of 2 cases agree, 1 differ.',
    `${first.id} (${first.about})`,
    '  expected {"status": "referral"}',
    expect.stringContaining('"status": "ineligible"'),
  ]);
});

it('the implementation in Python stays three files of at most 600 lines, with the standard library only', () => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.py'));
  expect(files).toEqual(['evaluate.py', 'events.py', 'facts.py']);
  const lines = files.map((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'));
  expect(lines[1]!.length).toBeLessThanOrEqual(200);
  for (const file of lines) {
    expect(file.length).toBeLessThanOrEqual(600);
    expect(file.filter((line) => line.length > 120)).toEqual([]);
  }
  const imported = lines
    .flat()
    .flatMap((line) => /^(?:import|from) ([\w., ]+?)(?: import .*)?$/.exec(line)?.[1]?.split(', ') ?? []);
  const standard = [
    '__future__',
    'calendar',
    'collections',
    'copy',
    'datetime',
    'functools',
    'itertools',
    'json',
    'math',
    'pathlib',
    're',
    'sys',
    'typing',
    'unicodedata',
    'zoneinfo',
  ];
  expect([...new Set(imported)].sort()).toEqual([...standard, 'events', 'facts'].sort());
});
