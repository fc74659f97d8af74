/**
 * `npm run corpora -- fetch [--into DIR] [NAME…]` fetches corpora at their pinned commits, with Git, into DIR (default
 * `node_modules/.cache/corpora-fetched`). Git checks all content against the commit.
 *
 * `npm run corpora -- table` prints the outcomes of the last run of the tests as the table of `docs/corpora.md`.
 *
 * To run the tests on the fetched corpora: `LEEWARD_CORPORA=DIR npx vitest run corpora/`.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Corpus, type CorpusName, corpora } from './catalog.ts';
import { type Outcome, outcomes } from './outcome.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { into: { type: 'string', default: join(import.meta.dirname, '../node_modules/.cache/corpora-fetched') } },
});
const [action, ...names] = positionals;
const isCorpus = (name: string): name is CorpusName => Object.hasOwn(corpora, name);

if (action === 'fetch') {
  const unknown = names.filter((name) => !isCorpus(name));
  if (unknown.length > 0) {
    console.error(`There is no corpus ${unknown.join(', ')}. Corpora: ${Object.keys(corpora).join(', ')}.`);
    process.exit(2);
  }
  for (const [name, corpus] of Object.entries<Corpus>(corpora)) {
    const isWanted = names.length === 0 || names.includes(name);
    if (isWanted && corpus.repository !== undefined)
      fetch(resolve(values.into, name), corpus.repository, corpus.version);
  }
  console.log(`LEEWARD_CORPORA=${resolve(values.into)}`);
} else if (action === 'table') printTable();
else {
  console.error('usage: npm run corpora -- fetch [--into DIR] [NAME…] | table');
  process.exit(2);
}

function fetch(folder: string, repository: string, commit: string): void {
  const git = (...words: string[]) =>
    execFileSync('git', ['-C', folder, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, '.git'))) git('init', '--quiet');
  git('-c', 'core.autocrlf=false', 'fetch', '--quiet', '--depth', '1', repository, commit);
  git('-c', 'core.autocrlf=false', '-c', 'advice.detachedHead=false', 'checkout', '--quiet', '--force', commit);
  console.log(`${folder}: ${commit}`);
}

/** The table, and below it the reasons of each allowed difference. */
function printTable(): void {
  const files = existsSync(outcomes) ? readdirSync(outcomes).sort() : [];
  const read = files.map((file): Outcome => JSON.parse(readFileSync(join(outcomes, file), 'utf8')));
  const count = (number: number) => number.toLocaleString('en-US');
  console.log('| cases of | version | cases | passed | allowed differences |\n|---|---|---|---|---|');
  for (const { name, isWhole, cases, passed } of read) {
    const version = corpusOf(name)?.version ?? '';
    const label = /^[0-9a-f]{40}$/.test(version) ? version.slice(0, 8) : version;
    const title = `${name}${isWhole ? '' : ' (pinned part)'}`;
    console.log(`| ${title} | ${label} | ${count(cases)} | ${count(passed)} | ${count(cases - passed)} |`);
  }
  for (const { name, allowed } of read.filter((each) => each.allowed.length > 0)) {
    console.log(`\n**${name}**\n`);
    for (const { reason, cases } of [...allowed].sort((a, b) => b.cases - a.cases)) {
      console.log(`- ${count(cases)}: ${reason}`);
    }
  }
}

/** The corpus of a part: `json-test-suite` of `json-test-suite-bodies`. */
function corpusOf(part: string): Corpus | undefined {
  const name = Object.keys(corpora).find((each) => part === each || part.startsWith(`${each}-`));
  return name === undefined ? undefined : corpora[name as CorpusName];
}
