/**
 * `npm run docs [-- --pages]`
 *
 * Builds the documentation as static files in `site/dist`, from the repository's Markdown and from references generated
 * from the OpenAPI document, the doc comments of exports, and the tables of settings, metrics and problems. Then checks
 * that the search finds guides first. Works offline after its programs are installed (lockfile in `site/`). `--pages`
 * writes the Markdown pages only.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { ShownDecision } from './docs/home-page.ts';

const root = resolve(import.meta.dirname, '..');
const site = join(root, 'site');
const pages = join(site, '.pages');
const source = '--conditions=@leeward/source';

if (!process.execArgv.includes(source)) {
  const words = [source, '--disable-warning=ExperimentalWarning', ...process.argv.slice(1)];
  process.exit(spawnSync(process.execPath, words, { stdio: 'inherit' }).status ?? 1);
}

const { apiPages } = await import('./docs/api-pages.ts');
const { tablePages } = await import('./docs/table-pages.ts');
const { benchmarkPage } = await import('./docs/benchmark-page.ts');
const { takePage } = await import('./docs/take-page.ts');
const { changelogSection, readChangesets, withSection } = await import('./release/changelog.ts');
const { siteSections } = await import('./docs/site-map.ts');
const { waysIntoPackages } = await import('./docs/ways-in.ts');
const { homeOf, homePage } = await import('./docs/home-page.ts');
const { rankedPages } = await import('./docs/ranked-pages.ts');
const { startDemo } = await import('../test/support/demo.ts');

interface Entry {
  readonly text: string;
  readonly link: string;
}

const environment = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` };

function install(): void {
  const installed = join(site, 'node_modules/.package-lock.json');
  const lock = join(site, 'package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: site,
    env: environment,
    stdio: 'inherit',
  });
}

function write(at: string, markdown: string): void {
  const path = join(pages, `${at}.md`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, markdown);
}

/** RFC 9116. Each build extends it by a year. */
function securityText(now: Date): string {
  const { repository } = JSON.parse(readFileSync(join(root, 'packages/apps/cli/package.json'), 'utf8'));
  const repositoryUrl = repository.url.replace(/^git\+|\.git$/g, '');
  const expires = new Date(now.getTime() + 365 * 86_400_000).toISOString();
  return `Contact: ${repositoryUrl}/security/advisories/new\nPolicy: ${repositoryUrl}/blob/main/SECURITY.md\nPreferred-Languages: en\nExpires: ${expires}\n`;
}

function show(picture: string): void {
  const path = join(pages, 'public', picture);
  mkdirSync(dirname(path), { recursive: true });
  copyFileSync(join(root, picture), path);
}

/** The document of a demo, and its answer about the home of the first page. */
async function askDemo(home: string): Promise<{ document: object; decision: ShownDecision }> {
  const demo = await startDemo({ apart: 'leeward', environment: { LEEWARD_LOG_LEVEL: 'silent' } });
  try {
    const response = await demo.post('/v1/underwrite/home', home);
    const decision = (await response.json()) as ShownDecision;
    return { document: (await (await fetch(`${demo.url}/openapi.json`)).json()) as object, decision };
  } finally {
    await demo.stop();
  }
}

/** A page each way into a package, and one that lists them. */
function typescriptPages(): Entry[] {
  const ways = waysIntoPackages(root);
  const entries = ways.map(({ specifier, source, page }) => ({ specifier, source, page }));
  const out = join(site, '.typescript');
  rmSync(out, { recursive: true, force: true });
  execFileSync(process.execPath, ['typescript-pages.js', out], {
    cwd: site,
    input: JSON.stringify(entries),
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  for (const { specifier, page } of ways) {
    const written = readFileSync(join(out, `${page}.md`), 'utf8');
    write(`typescript/${page}`, written.replace(/^# .*$/m, `# ${specifier}`));
  }
  rmSync(out, { recursive: true });
  const list = ways.map(({ specifier, page }) => `- [\`${specifier}\`](./${page}.md)`).join('\n');
  write(
    'typescript/index',
    `# TypeScript\n\nWhat each way into a package exports, from its doc comments.\n\n${list}\n`,
  );
  return ways.map(({ specifier, page }) => ({ text: specifier, link: `/typescript/${page}` }));
}

install();
rmSync(pages, { recursive: true, force: true });
const home = readFileSync(join(site, 'home.md'), 'utf8');
const { document, decision } = await askDemo(readFileSync(join(root, homeOf(home)), 'utf8'));
const api = apiPages(document);
for (const { at, markdown } of [...api, ...tablePages(), benchmarkPage(root)]) write(at, markdown);
for (const page of siteSections.flatMap((section) => section.pages)) {
  if (!('file' in page)) continue;
  const { markdown, pictures } = takePage(root, page.file, page.at);
  write(page.at, markdown);
  for (const picture of pictures) show(picture);
}
// Unreleased changes come first.
write(
  'project/changes',
  withSection(
    readFileSync(join(root, 'CHANGELOG.md'), 'utf8'),
    changelogSection('Next', undefined, readChangesets(join(root, '.changeset'))),
  ),
);
write('index', homePage(home, decision));
for (const theme of ['light', 'dark']) show(`docs/workbench/home-${theme}.png`);
const modules = typescriptPages();
const sidebar = siteSections.map(({ title, pages }) => {
  const own = pages.map(({ at, title: text }): Entry => ({ text, link: `/${at.replace(/\/index$/, '/')}` }));
  const [first] = pages;
  const grown = first?.at === 'api/index' ? api.slice(1).map(({ at, title: text }) => ({ text, link: `/${at}` })) : [];
  return {
    text: title,
    collapsed: !title.endsWith('uides'),
    items: [...own, ...grown, ...(first?.at === 'typescript/index' ? modules : [])],
  };
});
writeFileSync(join(pages, 'sidebar.json'), JSON.stringify(sidebar));
const wellKnown = join(pages, 'public/.well-known');
mkdirSync(wellKnown, { recursive: true });
writeFileSync(join(wellKnown, 'security.txt'), securityText(new Date()));
console.log(`${readdirSync(pages, { recursive: true }).filter((name) => String(name).endsWith('.md')).length} pages`);
if (!process.argv.includes('--pages')) {
  const vitepress = join(site, 'node_modules/vitepress/bin/vitepress.js');
  execFileSync(process.execPath, [vitepress, 'build', site], { cwd: site, env: environment, stdio: 'inherit' });
  for (const words of ['moratorium', 'distance to coast', 'api key', 'queue', 'install']) {
    const [first = 'nothing'] = await rankedPages(site, words);
    if (!first.startsWith('/guide/')) throw new Error(`The search for "${words}" finds ${first} before any guide.`);
  }
}
