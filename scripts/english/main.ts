// `npm run english`: counts the constructions that the style of this project avoids, per package and kind of text.
//   -- --package quotes [--kind comment] [--rule its-own] [--file PART]   lists every hit
//   -- --json       hits as JSON
//   -- --check      fails if a count is above counts.json
//   -- --write      lowers counts.json; with --moved, allows counts to move between packages; with --allow-increase, to rise
//   -- --rules      counts by rule
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  countHits,
  findIncreases,
  formatCounts,
  type GroupReport,
  KINDS,
  lowerCounts,
  moveCounts,
  readTree,
} from './counts.ts';
import type { Hit } from './rules.ts';

const ROOT = join(import.meta.dirname, '../..');
const COUNTS_FILE = join(import.meta.dirname, 'counts.json');

const { values } = parseArgs({
  options: {
    package: { type: 'string' },
    kind: { type: 'string' },
    rule: { type: 'string' },
    file: { type: 'string' },
    rules: { type: 'boolean' },
    json: { type: 'boolean' },
    check: { type: 'boolean' },
    write: { type: 'boolean' },
    moved: { type: 'boolean' },
    'allow-increase': { type: 'boolean' },
  },
});

const groups = readTree(ROOT);
const names = [...groups.keys()].sort();
if (values.package !== undefined && !groups.has(values.package)) {
  console.error(`No package or folder "${values.package}". Available: ${names.join(', ')}`);
  process.exit(2);
}
if (values.check === true) check();
else if (values.write === true) {
  const allowed = JSON.parse(readFileSync(COUNTS_FILE, 'utf8'));
  const actual = countHits(groups);
  const counts =
    values.moved === true
      ? moveCounts(actual, allowed)
      : lowerCounts(actual, allowed, values['allow-increase'] === true);
  writeFileSync(COUNTS_FILE, formatCounts(counts));
} else {
  const hits = selectHits();
  if (values.json === true) console.log(JSON.stringify(hits.map(hitAsJson), null, 2));
  else if (values.rules === true) printRules(hits);
  else if ([values.package, values.kind, values.rule, values.file].some((each) => each !== undefined)) printHits(hits);
  else printTable();
}

function selectHits(): Hit[] {
  return names
    .filter((name) => values.package === undefined || name === values.package)
    .flatMap((name) => groups.get(name)!.hits)
    .filter(({ piece, rule }) => (values.kind ?? piece.kind) === piece.kind && (values.rule ?? rule.id) === rule.id)
    .filter(({ piece }) => piece.file.includes(values.file ?? ''));
}

function hitAsJson({ piece, rule, match }: Hit): Record<string, unknown> {
  return {
    file: piece.file,
    line: piece.line,
    kind: piece.kind,
    rule: rule.id,
    match,
    text: piece.text,
    advice: rule.advice,
  };
}

function printHits(hits: readonly Hit[]): void {
  for (const { piece, rule } of hits) {
    console.log(`${piece.file}:${piece.line} ${rule.id}: ${piece.text} → ${rule.advice}`);
  }
  console.log(`${hits.length} hits in ${new Set(hits.map(({ piece }) => piece)).size} sentences and names`);
}

function printRules(hits: readonly Hit[]): void {
  const counts = Map.groupBy(hits, ({ rule }) => rule.id);
  for (const [id, each] of [...counts].sort((a, b) => b[1].length - a[1].length)) {
    console.log(`${String(each.length).padStart(6)}  ${id}  → ${each[0]!.rule.advice}`);
  }
}

function printTable(): void {
  const columns = [...KINDS, 'all', 'sentences', 'words'];
  console.log('package'.padEnd(16) + columns.map((each) => each.padStart(10)).join(''));
  const totals = new Array<number>(columns.length).fill(0);
  for (const name of names) {
    const row = rowOf(groups.get(name)!);
    row.forEach((value, index) => {
      totals[index]! += value;
    });
    console.log(name.padEnd(16) + row.map((value) => String(value).padStart(10)).join(''));
  }
  console.log('all'.padEnd(16) + totals.map((value) => String(value).padStart(10)).join(''));
  console.log(
    'Hits by kind of text; sentences and words of comments. `--package NAME` lists the hits, `--rules` counts by rule.',
  );
}

function rowOf({ hits, commentSentences, commentWords }: GroupReport): number[] {
  const counts = KINDS.map((kind) => hits.filter(({ piece }) => piece.kind === kind).length);
  return [...counts, hits.length, commentSentences, commentWords];
}

function check(): void {
  const increases = findIncreases(countHits(groups), JSON.parse(readFileSync(COUNTS_FILE, 'utf8')));
  for (const { key, allowed, actual } of increases) {
    const [name, kind] = key.split(' ');
    console.error(
      `${key}: ${actual}, allowed ${allowed}. List them: npm run english -- --package ${name} --kind ${kind}`,
    );
  }
  if (increases.length > 0) {
    console.error('After a move between packages: npm run english -- --write --moved');
    process.exitCode = 1;
  }
}
