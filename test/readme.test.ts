import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compileArtifact } from '@leeward/artifact';
import { createCatalog } from '@leeward/engine';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runWords } from '../packages/apps/cli/src/testing/run-words.ts';
import { packageFolders } from '../scripts/package-folders.ts';
import { fixtureEntries } from './support/engine/fixture-catalog.ts';
import {
  type Example,
  type ExampleRun,
  examplesIn,
  type Printed,
  readmeExamples,
  runExamples,
} from './support/readme-examples.ts';
import { workspace } from './support/running-leeward.ts';

const folders = new Map(packageFolders(workspace).map(({ name, path }) => [name, join(workspace, path)]));
const folderOf = (name: string) => folders.get(name)!;

/** Number of README examples with printed output. */
const counts: Readonly<Record<string, number>> = {
  accounts: 4,
  authoring: 2,
  coast: 6,
  'coast-builder': 4,
  'coast-picture': 1,
  'coastline-us': 4,
  database: 2,
  engine: 12,
  lines: 1,
  mcp: 1,
  places: 5,
  'address-book': 1,
  quotes: 3,
  registry: 1,
  carriers: 2,
  certificate: 1,
  terms: 6,
  'worker-pool': 1,
};
/** Those that read a file of rows, with a file that has a bad one. */
const rowFiles: Readonly<Record<string, string>> = {
  books: 'state,policy_type,total_claims\ntx,HO-3,1\ntexas,ho3,5\ntx,ho3,many\n',
  rows: 'id;state\n1;fl\n2;"tx\n3;la\n',
};
/** Pages for readers of the whole; what a line prints is written behind it: `//=> 200`. */
const pages = [
  'README.md',
  'packages/core/http/README.md',
  'packages/extend/http-admin/README.md',
  'packages/apps/cli/README.md',
];

const examples = new Map<string, readonly Example[]>(
  Object.keys(counts).map((name) => [name, readmeExamples(folderOf(name))]),
);
const webhooks = examplesIn(join(workspace, 'docs/webhooks.md'));
const artifacts = examplesIn(join(workspace, 'docs/artifact.md'));
const blocks = new Map(pages.map((page) => [page, examplesIn(join(workspace, page)).map(({ code }) => code)]));

/** Output of each example, by page. */
const printedOf = new Map<string, Printed[]>();
const made: string[] = [];
beforeAll(async () => {
  const runs: (ExampleRun & { readonly of: string })[] = [];
  for (const [of, all] of examples) {
    runs.push(...all.map(({ code }) => ({ of, packageFolder: folderOf(of), code })));
  }
  runs.push(...webhooks.map(({ code }) => ({ of: 'webhooks', packageFolder: folderOf('quotes'), code })));
  for (const [of, text] of Object.entries(rowFiles)) {
    const workingFolder = mkdtempSync(join(tmpdir(), `leeward-${of}-`));
    made.push(workingFolder);
    writeFileSync(join(workingFolder, 'policies.csv'), text);
    const [example] = readmeExamples(folderOf(of));
    runs.push({ of, packageFolder: folderOf(of), code: example!.code, workingFolder });
  }
  for (const [of, all] of blocks) {
    runs.push(...all.map((code) => ({ of, packageFolder: folderOf('cli'), code, workingFolder: workspace })));
  }
  const opening = mkdtempSync(join(tmpdir(), 'leeward-artifact-'));
  made.push(opening);
  const bayouMutual = createCatalog(fixtureEntries().filter(({ name }) => name!.startsWith('bayou_mutual/')));
  const { bytes } = await compileArtifact(bayouMutual, { from: '2026-11-01', to: '2026-11-30' });
  writeFileSync(join(opening, 'home.leeward'), bytes);
  for (const { code } of artifacts)
    runs.push({ of: 'artifacts', packageFolder: folderOf('artifact'), code, workingFolder: opening });
  const printed = await runExamples(runs);
  for (const [index, { of }] of runs.entries()) printedOf.set(of, [...(printedOf.get(of) ?? []), printed[index]!]);
});
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

it('every package with examples in its README is among them', () => {
  // The workbench's mounts it in a service that is the reader's own.
  const run = new Set([...Object.keys(counts), ...Object.keys(rowFiles), 'http', 'http-admin', 'cli', 'workbench']);
  const packages = packageFolders(workspace).map(({ name }) => name);
  expect(packages.filter((name) => readmeExamples(folderOf(name)).length > 0 && !run.has(name))).toEqual([]);
});

describe.each(Object.entries(counts))('the README of %s', (name, count) => {
  it('has its examples, which warn of nothing', () => {
    expect(examples.get(name)).toHaveLength(count);
    expect(printedOf.get(name)!.map(({ errors }) => errors)).toEqual(Array.from({ length: count }, () => ''));
  });

  it.each(examples.get(name)!.map(({ promised }, index) => ({ number: index + 1, promised })))(
    'prints the documented output in example $number',
    ({ number, promised }) => expect(printedOf.get(name)?.[number - 1]?.printed.trimEnd()).toBe(promised.trimEnd()),
  );
});

it('the guide to webhooks checks signatures as documented', () => {
  expect(printedOf.get('webhooks')).toEqual([{ printed: webhooks[0]!.promised, errors: '' }]);
});

it('the page about artifacts opens one as documented', () => {
  expect(artifacts).toHaveLength(1);
  expect(printedOf.get('artifacts')).toEqual([{ printed: artifacts[0]!.promised, errors: '' }]);
});

it('the README of books names a bad row', () => {
  const [{ printed }] = printedOf.get('books') as [Printed];
  expect(printed).toMatch(/^1 eligible\n2 ineligible\n3 \[\s+'total_claims is "many"; [^\n]+\n?\s*\]\n1\n$/);
});

it('the README of rows names a bad row', () => {
  const [{ printed, errors }] = printedOf.get('rows') as [Printed];
  expect(printed).toContain("2 [ '1', 'fl' ]\n4 [ '3', 'la' ]");
  expect(errors).toContain('Line 3 cannot be read');
});

describe.each([...blocks].filter(([, all]) => all.length > 0))('%s', (page, all) => {
  it.each(all.map((code, index) => [index + 1, code] as const))('block %i does what it says', (number, code) => {
    const promised = [...code.matchAll(/\/\/=> (.*)$/gm)].map((match) => match[1]);
    expect(promised.length).toBeGreaterThan(0);
    const lines = printedOf.get(page)![number - 1]!.printed.trimEnd().split('\n');
    expect(lines.filter((line) => promised.includes(line))).toEqual(promised);
  });
});

describe('the first screen', () => {
  it('installs without a warning for each package that needs a newer Node than npm runs on', async () => {
    // Node comes with the packages. npm compares them with the older one that it is started with, at the level of warnings.
    const { npm_config_loglevel: _, ...environment } = process.env;
    const { stdout } = await promisify(execFile)('npm', ['config', 'get', 'loglevel'], {
      cwd: workspace,
      env: environment,
    });
    expect(stdout.trim()).toBe('error');
  });

  it('shows lines of a table that the command prints', async () => {
    const text = readFileSync(join(workspace, 'README.md'), 'utf8');
    const [, file = ''] = /npx leeward underwrite (\S+)/.exec(text) ?? [];
    const table = /```text\n(.*?)```/s.exec(text)?.[1]?.trim().split('\n') ?? [];
    const { output } = await runWords(['underwrite', file], { folder: workspace });
    expect(table.length).toBeGreaterThan(6);
    for (const line of table) expect(output.split('\n')).toContain(line);
  });

  it('shows the output of the command for the nearest shore', async () => {
    const text = readFileSync(join(workspace, 'README.md'), 'utf8');
    const [, latitude = '', longitude = ''] = /npx leeward coast near (\S+) (\S+)/.exec(text) ?? [];
    const shown = /```text\n(The coast is .*?)```/s.exec(text)?.[1] ?? '';
    const { output } = await runWords(['coast', 'near', latitude, longitude], { folder: workspace });
    expect(shown.split('\n').length).toBeGreaterThan(3);
    expect(output).toContain(shown);
  });
});
