import { type ExecFileException, execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { lineGuide } from '../test/support/lines/line-guide.ts';
import { atOnce } from './at-once.ts';
import { packageFolders } from './package-folders.ts';

// Tests the packages before publishing: packs and lints each one (publint, attw), installs it alone in an empty
// project, imports every
// export in a fresh process, and reports its size. Run after `npm run build`.

const run = promisify(execFile);
const workspace = resolve(import.meta.dirname, '..');
const registryFlags = ['--prefer-offline', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
/** Node 24 of this process, before any other `node`. */
const environment = {
  ...process.env,
  PATH: `${dirname(process.execPath)}:${join(workspace, 'node_modules/.bin')}:${process.env['PATH']}`,
};

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly bin?: Readonly<Record<string, string>>;
}

interface Packed {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly tarball: string;
}

const failures: string[] = [];

async function attempt(what: string, command: string, words: readonly string[], folder: string): Promise<string> {
  try {
    const { stdout } = await run(command, [...words], { cwd: folder, env: environment, maxBuffer: 64 * 1024 * 1024 });
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as ExecFileException & { stdout?: string; stderr?: string };
    const said = `${stdout}${stderr}`.trim().split('\n').slice(-40).join('\n    ');
    failures.push(`${what}\n    ${said}`);
    return '';
  }
}

async function pack(folder: string, destination: string): Promise<Packed | undefined> {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  if (manifest.private) return undefined;
  const output = await attempt(
    `${manifest.name}: npm pack`,
    'npm',
    ['pack', '--json', '--pack-destination', destination],
    folder,
  );
  if (output === '') return undefined;
  const [{ filename }] = JSON.parse(output) as [{ filename: string }];
  return { folder, manifest, tarball: join(destination, filename) };
}

interface WayIn {
  /** As `exports` names it: `./node`. */
  readonly key: string;
  /** As an importer writes it: `@leeward/http/node`. */
  readonly specifier: string;
  /** A program to import; else a file to find: data, or a worker's program, which only runs in a thread. */
  readonly isModule: boolean;
}

function waysIn({ name, exports = {} }: Manifest): WayIn[] {
  return Object.entries(exports)
    .filter(([key]) => key !== './package.json')
    .map(([key, target]) => {
      const file = typeof target === 'string' ? target : (target as { default: string }).default;
      const specifier = key === '.' ? name : `${name}/${key.slice(2)}`;
      return { key, specifier, isModule: file.endsWith('.js') && !key.endsWith('-worker') };
    });
}

/** Recipes make data and are not shipped; a source map is worth its bytes only where it holds the sources. */
async function checkContents({ manifest, tarball }: Packed): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'leeward-contents-'));
  await attempt(`${manifest.name}: unpack`, 'tar', ['-xzf', tarball, '-C', folder], workspace);
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (/(^|\/)recipe(\/|$)/.test(path)) failures.push(`${manifest.name}: ships its recipe (${path})`);
    if (!path.endsWith('.map')) continue;
    const map = JSON.parse(readFileSync(join(folder, path), 'utf8')) as Partial<
      Record<'sources' | 'sourcesContent', string[]>
    >;
    const isWhole = map.sources?.every((_, index) => typeof map.sourcesContent?.[index] === 'string');
    if (!isWhole) failures.push(`${manifest.name}: ${path} maps to sources that are not shipped`);
  }
  rmSync(folder, { recursive: true, force: true });
}

/** Number of installed packages of a project and their size. */
function installedSize(project: string): string {
  const lock = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')) as { packages: object };
  const folder = join(project, 'node_modules');
  const bytes = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
  return `${Object.keys(lock.packages).length - 1} packages, ${(bytes / 1e6).toFixed(1)} MB`;
}

/**
 * Installs one package in an empty project. Other Leeward packages come from tarballs, because they are not in a
 * registry.
 */
async function installAlone(packed: Packed, all: readonly Packed[]): Promise<string> {
  const project = mkdtempSync(join(tmpdir(), 'leeward-package-'));
  const overrides = Object.fromEntries(
    all.filter((other) => other !== packed).map(({ manifest, tarball }) => [manifest.name, `file:${tarball}`]),
  );
  const dependencies = { [packed.manifest.name]: `file:${packed.tarball}` };
  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({ private: true, type: 'module', dependencies, overrides }),
  );
  await attempt(
    `${packed.manifest.name}: npm install in an empty project`,
    'npm',
    ['install', ...registryFlags],
    project,
  );
  return project;
}

/** The guide to a line of one's own, followed in a project with the installed command, which brings every package: compiled, and run. */
async function followLineGuide(project: string): Promise<void> {
  const { files, promised } = lineGuide(readFileSync(join(workspace, 'docs/lines.md'), 'utf8'));
  for (const [name, code] of files) writeFileSync(join(project, name), code);
  const compilerOptions = {
    target: 'es2024',
    module: 'nodenext',
    lib: ['es2024', 'dom'],
    types: [],
    strict: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    noEmit: true,
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [...files.keys()] }));
  await attempt('docs/lines.md: compile', 'tsc', ['-p', '.'], project);
  const last = [...files.keys()].at(-1) ?? '';
  const printed = await attempt('docs/lines.md: run', process.execPath, [last], project);
  if (printed.trimEnd() !== promised.join('\n')) failures.push(`docs/lines.md prints\n    ${printed}`);
}

/** Gives what an empty project has after it was installed there. */
async function check(packed: Packed, all: readonly Packed[]): Promise<string> {
  const { manifest, tarball } = packed;
  const installed = installAlone(packed, all);
  await attempt(`${manifest.name}: publint`, 'publint', ['run', tarball, '--strict'], workspace);
  const data = waysIn(manifest).filter(({ isModule }) => !isModule);
  const excluded = data.length === 0 ? [] : ['--exclude-entrypoints', ...data.map(({ key }) => key)];
  const attw = [tarball, '--profile', 'esm-only', '--format', 'ascii', '--no-emoji', ...excluded];
  await attempt(`${manifest.name}: attw`, 'attw', attw, workspace);
  await checkContents(packed);
  const project = await installed;
  const size = installedSize(project);
  if (manifest.name === 'leeward') await followLineGuide(project);
  for (const { specifier, isModule } of waysIn(manifest)) {
    const asText = JSON.stringify(specifier);
    const program = isModule
      ? `const names = Object.keys(await import(${asText})); if (names.length === 0) throw new Error('exports nothing');`
      : `(await import('node:fs')).accessSync(new URL(import.meta.resolve(${asText})));`;
    await attempt(`import ${specifier}`, process.execPath, ['--input-type=module', '--eval', program], project);
  }
  for (const name of Object.keys(manifest.bin ?? {})) {
    const version = await attempt(`npx ${name} --version`, 'npx', ['--no-install', name, '--version'], project);
    if (version.trim() !== manifest.version)
      failures.push(`npx ${name} --version prints "${version.trim()}", not ${manifest.version}`);
  }
  if (manifest.bin) await tryDemo(project);
  rmSync(project, { recursive: true, force: true });
  return size;
}

/** The installed command carries the carriers of its demo. */
async function tryDemo(project: string): Promise<void> {
  writeFileSync(join(project, 'home.json'), JSON.stringify({ state: 'tx', county: 'harris' }));
  const words = ['--no-install', 'leeward', 'underwrite', 'home.json', '--json'];
  const answer = await attempt('npx leeward underwrite', 'npx', words, project);
  if (answer !== '' && JSON.parse(answer).carriers.length === 0) failures.push('leeward underwrite names no carrier');
}

const destination = mkdtempSync(join(tmpdir(), 'leeward-tarballs-'));
const packs = await atOnce(packageFolders(workspace), ({ path }) => pack(join(workspace, path), destination));
const all = packs.filter((packed) => packed !== undefined);
const sizes = await atOnce(all, (packed) => check(packed, all));
for (const [index, { manifest }] of all.entries()) {
  const specifiers = waysIn(manifest).map(({ specifier }) => specifier);
  console.log(`${manifest.name} (${sizes[index]}): ${specifiers.join(', ')}`);
}
rmSync(destination, { recursive: true, force: true });

if (failures.length > 0) {
  console.error(`\n${failures.length} failures:\n\n${failures.map((failure) => `- ${failure}`).join('\n\n')}`);
  process.exitCode = 1;
}
