import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findIncreases, formatCounts, lowerCounts, moveCounts, readPieces } from '../scripts/english/counts.ts';
import { groupOf } from '../scripts/english/files.ts';
import { checkPiece, RULES } from '../scripts/english/rules.ts';

const QUOTES = 'packages/core/quotes/src/example.ts';
const COAST = 'packages/core/coast/src/example.ts';
const ENGINE = 'packages/core/engine/src/example.ts';

function asExample([avoided, written, id, file = QUOTES]: Row): Record<'avoided' | 'written' | 'id' | 'file', string> {
  return { avoided, written, id, file };
}

/** Returns the rules that a source breaks, with the line of each. */
function rulesOf(source: string, file = QUOTES): string[] {
  return readPieces(file, source).flatMap((piece) => checkPiece(piece).map(({ rule }) => rule.id));
}

/** Avoided text, text to write, rule, file (default: of quotes). */
type Row = readonly [string, string, string, string?];

const SENTENCES: readonly Row[] = [
  ['What is given to the carrier.', 'Fields sent to the carrier.', 'opening-free-relative'],
  ['Whoever asks for it gets the answer.', 'The caller gets the answer.', 'opening-free-relative'],
  ['Whether a text could be an identifier.', 'True if the text is a well-formed identifier.', 'opening-whether'],
  ['Where an adapter can look, it must.', 'If the adapter supports lookup, it polls.', 'opening-where'],
  ['How long a carrier may take.', 'Maximum time of a carrier call, in ms.', 'opening-how'],
  ['When it was made.', 'Time of creation, ISO 8601.', 'opening-when'],
  [
    'Of no product the fields of homes are asked for.',
    'Without a known product, check the fields as for a home.',
    'opening-of',
  ],
  ['The same, in steps.', 'Like `check`, but yields between rules.', 'opening-same'],
  ['Likewise.', 'Like `check`, but yields between rules.', 'opening-same'],
  ['The size of what waits for it.', 'Number of waiting jobs.', 'free-relative-inside'],
  ['It serves whoever comes late.', 'It serves late callers.', 'whoever'],
  ['The file says which rules apply.', 'The file lists the rules that apply.', 'thing-says'],
  ['The store tells the queue of it.', 'The store notifies the queue.', 'thing-tells'],
  ['The queue is told of jobs.', 'The queue receives jobs.', 'thing-tells'],
  ['Every carrier is asked at once.', 'All carriers are called concurrently.', 'thing-asks'],
  ['The queue wants a connection.', 'The queue needs a connection.', 'thing-wants'],
  ['The key stands in the header.', 'The key is in the header.', 'thing-stands'],
  ['The status hangs on the county.', 'The status depends on the county.', 'hangs-on'],
  ['Both come out the same.', 'Both match.', 'comes-out'],
  ['It asks nobody on a network.', 'It makes no network calls.', 'nobody'],
  ['It is nothing that a caller should wait for.', 'Callers need not wait for it.', 'nothing-that'],
  ['A batch is no request.', 'A batch is not a request.', 'is-no'],
  ['It is never called without a token.', 'Every call needs a token.', 'double-negative'],
  ['It waits the longest that a carrier may.', 'It waits for the maximum time.', 'at-most-noun'],
  ['The most calls per quote.', 'Maximum number of calls per quote. @default 4', 'opening-most'],
  ['The longest rest, in ms.', 'Maximum cooldown, in ms.', 'opening-most'],
  ['Each has its own queue.', 'Each has a separate queue.', 'its-own'],
  ['It lies beside the book.', 'It is in the folder of the book.', 'beside'],
  ['The row is read by itself.', 'The row is read separately.', 'by-itself'],
  ['The row is kept as it is.', 'The row is unchanged.', 'as-it-is'],
  ['It tries once more.', 'It retries.', 'once-more'],
  ['It ends of its own accord.', 'It ends without a signal.', 'its-own'],
  ['A home of which the county is unknown.', 'A home with an unknown county.', 'archaic-pronoun'],
  ['The carrier rests for a minute.', 'The carrier is paused for a minute.', 'term-rest'],
  ['The carrier is left alone.', 'The carrier is paused.', 'term-rest'],
  ['The carrier is in trouble.', 'The carrier has failed.', 'term-trouble'],
  ['A nudge reaches the worker.', 'A wake-up reaches the worker.', 'term-nudge'],
  ['The pace of a carrier.', 'The rate limiter of a carrier.', 'term-pace'],
  ['One lane for each carrier.', 'One queue for each carrier.', 'term-lane'],
  ['The quote is taken in.', 'The quote is created.', 'term-take-in'],
  ['It looks at a pending answer.', 'It polls a pending answer.', 'term-look-at'],
  ['Silent carriers are left out.', 'Carriers that do not offer the product are omitted.', 'term-silent'],
  ['It judges a home.', 'It evaluates a home.', 'term-judge'],
  ['A witness of the finding.', 'A counterexample for the finding.', 'term-witness'],
  ['It agrees with the reference.', 'It agrees with json-rules-engine.', 'term-reference', ENGINE],
  ['Tenants work in fair turns.', 'Tenants share the processor by fair scheduling.', 'term-turn'],
  ['A tenant with more than its share.', 'A tenant above its quota.', 'term-share'],
  ['The foot of the perpendicular.', 'The nearest point of the segment.', 'term-foot', COAST],
  ['The approver signs the sheet.', 'The approver signs the approval report.', 'term-sheet'],
  ['A rule of our house.', 'A rule of this project.', 'term-house'],
  ['The buffer has room for ten.', 'The buffer has space for ten.', 'term-room'],
  ['An import that leads up a floor plan.', 'An import against the layer order.', 'term-floor'],
  ['It goes in by the same door.', 'It uses the same entry point.', 'term-door'],
  ['The rating desk signs in.', 'The rating team signs in.', 'term-desk'],
  ['The names are learnt at startup.', 'The names are loaded at startup.', 'term-dialect-verb'],
  [`It ${'reads a row and '.repeat(10)}ends.`, 'It reads rows.', 'long-sentence'],
  [
    'The same in turns of whoever waits for it, between which others have theirs; ready to decide by.',
    'Like `statusTables`, but yields to other work between steps. Work that every waiter abandoned is kept; the next caller resumes it.',
    'opening-same',
  ],
  [
    'How much of what waits for a carrier its queue is told of at a time: enough that no slot stands empty.',
    'Number of waiting jobs handed to a carrier’s queue at once: enough to keep every slot busy, few enough that a late job waits only a fraction of a second.',
    'opening-how',
  ],
  [
    'Where an adapter that can look says neither when nor what callbacks call it.',
    'The adapter supports lookup, but returned neither a next poll time nor a callback reference.',
    'opening-where',
  ],
  [
    'Whether a text could be an identifier at all: what cannot is looked up nowhere.',
    'True if the text is a well-formed identifier. Malformed ones are rejected without a query.',
    'opening-whether',
  ],
];

const NAMES: readonly Row[] = [
  ['const found = 1;', 'const statuses = 1;', 'name-participle'],
  ['const { row: known } = row;', 'const { known: fields } = row;', 'name-participle'],
  ['function read(given: string) {}', 'function read(request: string) {}', 'name-participle'],
  ['interface Row { told: boolean }', 'interface Row { isNotified: boolean }', 'name-participle'],
  ["type State = 'there' | 'error';", "type State = 'ready' | 'error';", 'name-tag'],
  ["type State = 'unasked' | 'error';", "type State = 'loading' | 'error';", 'name-tag'],
  ['const most = 4;', 'const max = 4;', 'name-most'],
  ['function onTrouble() {}', 'function onFailure() {}', 'name-term'],
  ['const nudges = 1;', 'const wakeUps = 1;', 'name-term'],
  ['const restUntil = 1;', 'const cooldownUntil = 1;', 'name-rest'],
  ['const laneOf = 1;', 'const carrierQueueOf = 1;', 'name-lane'],
  ['const footOf = 1;', 'const nearestPointOf = 1;', 'name-foot', COAST],
  ['const signSheet = 1;', 'const approvalReport = 1;', 'name-sheet', 'packages/apps/workbench/src/example.ts'],
];

describe('rules of English', () => {
  it.each(SENTENCES.map(asExample))(
    'catches "$avoided" in a comment and accepts "$written"',
    ({ avoided, written, id, file }) => {
      expect(rulesOf(`/** ${avoided} */`, file)).toContain(id);
      expect(rulesOf(`/** ${written} */`, file)).toEqual([]);
    },
  );

  it.each(NAMES.map(asExample))('catches `$avoided` and accepts `$written`', ({ avoided, written, id, file }) => {
    expect(rulesOf(avoided, file)).toContain(id);
    expect(rulesOf(written, file)).toEqual([]);
  });

  it('has an example for each rule', () => {
    const examples = new Set([...SENTENCES, ...NAMES].map(([, , id]) => id));
    expect(RULES.map(({ id }) => id).filter((id) => !examples.has(id))).toEqual([]);
  });

  it.each([
    'An agent may ask for another quote, and users say why.',
    'The distance from the lowest floor to the ground, in feet.',
    'Math functions turn on the flag in turn, and the rest of the array is skipped.',
    'There is no default.',
    'It stops when asked.',
    'The rules cannot tell the two counties apart.',
    'The value must be at most 5.',
    'The house number of 12 Lane Street.',
    'SSURGO stands for Soil Survey Geographic Database.',
    'The last digits, each of which has a weight.',
    'What does it cost?',
  ])('accepts "%s"', (sentence) => {
    expect(rulesOf(`// ${sentence}`, 'packages/core/engine/src/example.ts')).toEqual([]);
  });
});

describe('readers of text', () => {
  it('reads comments, not strings, and reports the line', () => {
    const source =
      "const url = 'http://a.example//Whether';\nconst r = /\\/\\/ Whether/;\n\n// It is fine.\n// Whether it is.\n";
    const hits = readPieces(QUOTES, source).flatMap(checkPiece);
    expect(hits.map(({ piece, rule }) => [piece.line, piece.kind, rule.id])).toEqual([
      [5, 'comment', 'opening-whether'],
    ]);
  });

  it('skips code in comments and Markdown', () => {
    expect(rulesOf('/** Calls `its own whoever`.\n * @example\n * whoever(1);\n */')).toEqual([]);
    expect(rulesOf('Use `whoever`.\n\n```ts\n// Whether\n```\n', 'README.md')).toEqual([]);
  });

  it('reads sentences, tables and headings of Markdown', () => {
    const source = '# Whoever reads\n\nA line\nends. Whether it is.\n\n| a | b |\n|---|---|\n| fine | of its own |\n';
    const hits = readPieces('docs/a.md', source).flatMap(checkPiece);
    expect(hits.map(({ piece, rule }) => `${piece.line} ${rule.id}`)).toEqual([
      '1 opening-free-relative',
      '1 whoever',
      '4 opening-whether',
      '8 its-own',
    ]);
  });

  it('reads test names, also of it.each', () => {
    const source = "it('is no token', () => {});\nit.each([1])('calls nobody', () => {});";
    const hits = readPieces('packages/core/quotes/src/a.test.ts', source).flatMap(checkPiece);
    expect(hits.map(({ piece, rule }) => `${piece.line} ${piece.kind} ${rule.id}`)).toEqual([
      '1 test is-no',
      '2 test nobody',
    ]);
  });

  it('reads texts for people in templates and JSX, but neither SQL nor class names', () => {
    const source =
      'const a = <p className="its own">Whether it is</p>;\nconst b = `Row is no option`;\nconst d = sql`select its own`;';
    const hits = readPieces('packages/apps/workbench/src/a.tsx', source).flatMap(checkPiece);
    expect(hits.map(({ piece, rule }) => `${piece.line} ${piece.kind} ${rule.id}`)).toEqual([
      '1 text opening-whether',
      '2 text is-no',
    ]);
  });

  it.each([
    ['packages/quotes/src/a.ts', 'quotes'],
    ['packages/core/quotes/src/a.ts', 'quotes'],
    ['packages/extend/books/README.md', 'books'],
    ['docs/a.md', 'docs'],
    ['README.md', 'root'],
  ])('counts %s under %s', (file, group) => {
    expect(groupOf(file)).toBe(group);
  });
});

describe('limits', () => {
  it('finds increases and keys that are not listed', () => {
    const allowed = { 'a comment': 2, 'b text': 3 };
    expect(findIncreases({ 'a comment': 2, 'b text': 1 }, allowed)).toEqual([]);
    expect(findIncreases({ 'a comment': 3, 'c name': 1 }, allowed)).toEqual([
      { key: 'a comment', allowed: 2, actual: 3 },
      { key: 'c name', allowed: 0, actual: 1 },
    ]);
  });

  it('lowers counts and raises them only on request', () => {
    const allowed = { 'a comment': 2, 'b text': 3 };
    const actual = { 'a comment': 5, 'b text': 1, 'c name': 1 };
    expect(lowerCounts(actual, allowed, false)).toEqual({ 'a comment': 2, 'b text': 1 });
    expect(lowerCounts(actual, allowed, true)).toEqual(actual);
    expect(formatCounts({ b: 1, a: 2, c: 0 })).toBe('{\n  "a": 2,\n  "b": 1\n}\n');
  });

  it('moves counts between packages unless their sum rises', () => {
    const allowed = { 'a comment': 2, 'b comment': 3, 'b text': 1 };
    const moved = { 'a comment': 1, 'c comment': 4, 'b text': 1 };
    expect(moveCounts(moved, allowed)).toEqual(moved);
    expect(() => moveCounts({ ...moved, 'c comment': 5 }, allowed)).toThrow('comment: 6, allowed 5');
  });

  it('fails the check when a sentence is added, and passes when it is removed', () => {
    const root = mkdtempSync(join(tmpdir(), 'english-'));
    try {
      const source = join(import.meta.dirname, '..');
      cpSync(join(source, 'scripts/english'), join(root, 'scripts/english'), { recursive: true });
      mkdirSync(join(root, 'node_modules'));
      cpSync(join(source, 'node_modules/typescript'), join(root, 'node_modules/typescript'), { recursive: true });
      cpSync(join(source, 'node_modules/@typescript/old'), join(root, 'node_modules/@typescript/old'), {
        recursive: true,
      });
      writeFileSync(join(root, 'package.json'), '{"type":"module"}');
      writeFileSync(join(root, '.gitignore'), 'node_modules\n');
      execFileSync('git', ['init', '-q', root]);
      const file = join(root, 'packages/core/quotes/src/example.ts');
      mkdirSync(join(file, '..'), { recursive: true });
      writeFileSync(file, '/** Whether it is. */\n');
      const counts = join(root, 'scripts/english/counts.json');
      runEnglish(root, '--write', '--allow-increase');
      expect(JSON.parse(readFileSync(counts, 'utf8'))).toEqual({ 'quotes comment': 1 });
      expect(runEnglish(root, '--check').status).toBe(0);
      writeFileSync(file, '/** Whether it is. Likewise. */\n');
      runEnglish(root, '--write');
      const failed = runEnglish(root, '--check');
      expect(failed.status).toBe(1);
      expect(failed.output).toContain('quotes comment: 2, allowed 1. List them: npm run english -- --package quotes');
      writeFileSync(file, '/** Returns true. */\n');
      expect(runEnglish(root, '--check').status).toBe(0);
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});

function runEnglish(root: string, ...args: string[]): { status: number; output: string } {
  try {
    const output = execFileSync(process.execPath, [join(root, 'scripts/english/main.ts'), ...args], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
    return { status: 0, output };
  } catch (err) {
    const { status, stderr } = err as { status: number; stderr: string };
    return { status, output: stderr };
  }
}
