import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createKeyHolder, createLeeward } from '@leeward/http';
import { expect, it } from 'vitest';
import { createProgram } from '../packages/apps/cli/src/program.ts';
import { settingsTable } from '../packages/apps/cli/src/settings/settings-table.ts';
import { processTerminal } from '../packages/apps/cli/src/terminal.ts';
import { problemKinds } from '../packages/core/http/src/problem/problem.ts';
import { apiPages } from '../scripts/docs/api-pages.ts';
import { homeOf, homePage } from '../scripts/docs/home-page.ts';
import { anchorsOf, brokenLinks } from '../scripts/docs/markdown-links.ts';
import { siteSections } from '../scripts/docs/site-map.ts';
import { tablePages } from '../scripts/docs/table-pages.ts';
import { takePage } from '../scripts/docs/take-page.ts';
import { workspace } from './support/running-leeward.ts';

const pages = globSync('**/*.md', {
  cwd: workspace,
  exclude: (path) => /(^|\/)(node_modules|dist|\.pages|\.leeward)$/.test(String(path)),
}).sort();
const taken = siteSections.flatMap(({ pages }) => pages.filter((page) => 'file' in page));

it('every link leads to a file, and to a heading where it names one', () => {
  expect(pages.length).toBeGreaterThan(30);
  expect(pages.flatMap((page) => brokenLinks(workspace, page))).toEqual([]);
});

it.each([
  ['[gone](gone.md)', 'docs/x.md: gone.md leads to nothing'],
  ['![gone](pictures/gone.svg)', 'docs/x.md: pictures/gone.svg leads to nothing'],
  ['[up](../../../etc/hosts)', 'docs/x.md: ../../../etc/hosts leads out of the repository'],
  ['# Here\n[`there`](#there)', 'docs/x.md: #there names a heading that docs/x.md does not have'],
  ['[no](sizing.md#no-such)', 'docs/x.md: sizing.md#no-such names a heading that docs/sizing.md does not have'],
  [
    '[web](https://github.com/leeward/leeward/blob/main/docs/gone.md)',
    'docs/x.md: https://github.com/leeward/leeward/blob/main/docs/gone.md leads to nothing',
  ],
])('finds a broken link: %s', (text, fault) => {
  expect(brokenLinks(workspace, 'docs/x.md', text)).toEqual([fault]);
});

it('ignores links in code', () => {
  expect(brokenLinks(workspace, 'docs/x.md', '`[a](b.md)`\n\n```ts\nlist[a](b.md)\n```\n')).toEqual([]);
});

it('guides and READMEs are pages of the site, each once', () => {
  const files = taken.map(({ file }) => file);
  const published = pages.filter((page) =>
    /^docs\/[^/]+\.md$|^packages\/[^/]+\/[^/]+\/README\.md$|^[A-Z]+\.md$/.test(page),
  );
  expect([...files].sort()).toEqual([...new Set([...published, 'examples/README.md'])].sort());
});

it('pages of the site lead to pages of the site, else to the repository', () => {
  const { markdown, pictures } = takePage(workspace, 'README.md', 'project/overview');
  expect(markdown).toContain('](../guide/sizing.md)');
  expect(markdown).toContain('](https://github.com/leeward/leeward/tree/main/fixtures/carriers)');
  expect(markdown).toContain('](/docs/coast-pictures/miami-beach.svg)');
  expect(pictures.every((picture) => existsSync(join(workspace, picture)))).toBe(true);
});

it('shows a verdict of each status on the home page, and refuses a home without one', () => {
  const verdict = (status: string, own: object) => ({
    ...{ carrier: `The ${status} one`, status, reasons: [], requirements: [], missing_fields: [], ...own },
  });
  const decision = {
    counts: { eligible: 1, referral: 1, needs_information: 1, ineligible: 1 },
    carriers: [
      verdict('eligible', { requirements: [{ message: 'Photos.' }] }),
      verdict('referral', { reasons: [{ message: 'An old roof.' }] }),
      verdict('needs_information', { missing_fields: ['dwelling_a', 'roof_age'] }),
    ],
    declined: [verdict('ineligible', { reasons: [{ message: 'A "new" roof only.' }] })],
  };
  const home = readFileSync(join(workspace, 'site/home.md'), 'utf8');
  const [, answer] = /^answer: (.*)$/m.exec(homePage(home, decision))!;
  const { verdicts, counts } = JSON.parse(answer!) as { verdicts: { words: string; why: string }[]; counts: string };
  expect(verdicts.map(({ words, why }) => `${words}: ${why}`)).toEqual([
    'Eligible: Requires: Photos.',
    'Referral: An old roof.',
    'Needs information: Needs dwelling coverage A, age of the roof.',
    'Ineligible: A "new" roof only.',
  ]);
  expect(counts).toBe('1 eligible, 1 referral, 1 needs information, 1 ineligible');
  expect(existsSync(join(workspace, homeOf(home)))).toBe(true);
  expect(() => homePage(home, { ...decision, declined: [] })).toThrow('No carrier is ineligible');
});

it('documents all settings, metrics and problems', () => {
  const [settings, metrics, problems] = tablePages();
  for (const key of Object.keys(settingsTable)) expect(settings!.markdown).toContain(`| \`${key}\`<br>`);
  expect([...anchorsOf(problems!.markdown)]).toEqual(expect.arrayContaining(Object.keys(problemKinds)));
  expect(metrics!.markdown).toContain('`leeward_http_requests_in_flight`<br>gauge |');
  const sources = globSync('packages/*/*/src/**/*.ts', { cwd: workspace, exclude: ['**/*.test.ts'] });
  const named = sources.flatMap((path) => [
    ...readFileSync(join(workspace, path), 'utf8').matchAll(/(?<=name: |Histogram\(\s*|waiting\(\s*)'(leeward_\w+)'/g),
  ]);
  expect(named.length).toBeGreaterThan(10);
  for (const [, name] of named) expect(metrics!.markdown).toContain(`\`${name}\``);
});

it('the pages of the API lead to what is on them', async () => {
  const leeward = createLeeward({ directory: createKeyHolder([]) });
  const document = (await (await leeward.fetch(new Request('http://localhost/openapi.json'))).json()) as object;
  const written = apiPages(document);
  const anchors = new Map(
    written.map(({ at, markdown }) => [
      at.replace('api/', ''),
      new Set([...markdown.matchAll(/\{#([^}]+)\}/g)].map(([, anchor]) => anchor)),
    ]),
  );
  const links = written.flatMap(({ markdown }) => [
    ...markdown.matchAll(/(?:href="|\]\()\.\/([\w-]+)\.(?:html|md)#([^")]+)/g),
  ]);
  expect(links.length).toBeGreaterThan(10);
  for (const [link, page, anchor] of links) expect([link, anchors.get(page!)?.has(anchor)]).toEqual([link, true]);
});

/** Lines of shell that people type, with those that a backslash breaks put together. */
function commandLines(page: string): string[] {
  const text = readFileSync(join(workspace, page), 'utf8');
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block]) =>
    block!.replaceAll('\\\n', ' ').split('\n'),
  );
  return blocks.flatMap(
    (line) => line.match(/(?:^|[(|;&] ?|(?<!-m)\s)(?:npx )?leeward (?!is ).*?(?=$|\||;|\)| #| > |&&)/g) ?? [],
  );
}

const commands = pages
  .filter((page) => !page.startsWith('.changeset/'))
  .flatMap((page) =>
    commandLines(page).map((line) => [page, line.trim().replace(/^[(|;& ]*(?:npx )?leeward /, '')] as const),
  );

it('commands are found in pages', () => {
  expect(commands.length).toBeGreaterThan(60);
});

it('every command in a page is there, with the options that it is given', async () => {
  const unknown: string[] = [];
  for (const [page, line] of commands) {
    const words = line.split(/\s+/).filter((word) => word !== '');
    let command = await createProgram(processTerminal(), words);
    const rest = [...words];
    for (let next = command; next !== undefined && rest.length > 0; ) {
      next = command.commands.find((each) => each.name() === rest[0])!;
      if (next === undefined) break;
      command = next;
      rest.shift();
    }
    const missing = rest
      .filter((word) => /^--[a-z]/.test(word))
      .map((word) => word.split('=')[0]!)
      .filter((word) => word !== '--help' && word !== '--version' && word !== '--debug')
      .filter((word) => !command.options.some(({ long }) => long === word));
    // A command with subcommands can also take a file.
    const isFile = command.registeredArguments.length > 0 && /\.\w+$/.test(rest[0] ?? '');
    const isGroup =
      command.commands.length > 0 && rest.length > 0 && !rest[0]!.startsWith('-') && !/^[[…]/.test(rest[0]!) && !isFile;
    if (missing.length > 0 || isGroup)
      unknown.push(`${page}: leeward ${line} (${isGroup ? rest[0] : missing.join(', ')})`);
  }
  expect(unknown).toEqual([]);
});
