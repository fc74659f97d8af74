import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('../../../../../', import.meta.url));

/** Folders of the packages in the page: the workbench and, in turn, their dependencies. Paths from the workspace. */
function packagesOfPage(workspace: string): readonly string[] {
  const folders = new Map(
    globSync('packages/*/*/package.json', { cwd: workspace }).map((path) => [basename(dirname(path)), dirname(path)]),
  );
  const reached = new Set(['workbench']);
  for (const name of reached) {
    const manifest = readFileSync(`${workspace}${folders.get(name)}/package.json`, 'utf8');
    const { dependencies, devDependencies } = JSON.parse(manifest) as Record<
      string,
      Record<string, string> | undefined
    >;
    // Other packages need their devDependencies only for tests.
    const names = Object.keys({ ...dependencies, ...(name === 'workbench' && devDependencies) });
    for (const each of names) if (each.startsWith('@leeward/')) reached.add(each.slice('@leeward/'.length));
  }
  return [...reached].map((name) => folders.get(name)!).sort();
}

/** Possible inputs of the page: our sources and data, and the lockfile. Paths from the workspace. */
function sourcesOfPage(workspace: string): readonly string[] {
  const ours = packagesOfPage(workspace);
  const patterns = [
    ...ours.flatMap((folder) => [`${folder}/{src,data}/**/*.*`, `${folder}/package.json`]),
    'package-lock.json',
  ];
  return globSync(patterns, { cwd: workspace, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map(({ parentPath, name }) => `${parentPath}/${name}`.slice(workspace.length))
    .sort();
}

/** Hash of all sources. */
function stateOf(workspace: string, more: string, sources = sourcesOfPage(workspace)): string {
  const hash = createHash('sha256').update(more);
  for (const source of sources) hash.update(`\n${source}\n`).update(readFileSync(workspace + source));
  return hash.digest('hex');
}

interface Kept {
  readonly state: string;
  readonly texts: readonly (readonly [name: string, text: string])[];
}

/** Files of the page, and its inputs by path from the workspace. */
export interface MadePage {
  readonly texts: ReadonlyMap<string, string>;
  readonly inputs: readonly string[];
}

/**
 * Returns the cached page if no source has changed; otherwise builds it, which is most of a start from source.
 * @param more Inputs other than sources.
 */
export async function keptPage(
  more: string,
  make: () => Promise<MadePage>,
  workspace = here,
): Promise<ReadonlyMap<string, string>> {
  const path = `${workspace}node_modules/.cache/leeward-page.json`;
  const sources = sourcesOfPage(workspace);
  const state = stateOf(workspace, more, sources);
  const text = await readFile(path, 'utf8').catch(() => undefined);
  const cached = text === undefined ? undefined : parse(text);
  if (cached?.state === state) return new Map(cached.texts);
  const { texts, inputs } = await make();
  const sourceSet = new Set(sources);
  const isWhole = inputs.every((input) => sourceSet.has(input) || /^<define:|node_modules\//.test(input));
  // Do not cache if a source changed meanwhile, or an input is not a source.
  if (isWhole && stateOf(workspace, more) === state) await keep(path, { state, texts: [...texts] });
  return texts;
}

/** Writes atomically. Ignores a failed write. */
async function keep(path: string, page: Kept): Promise<void> {
  const own = `${path}.${process.pid}`;
  await mkdir(dirname(path), { recursive: true })
    .then(() => writeFile(own, JSON.stringify(page)))
    .then(() => rename(own, path))
    .catch(() => {});
}

function parse(text: string): Kept | undefined {
  try {
    return JSON.parse(text) as Kept;
  } catch {
    return undefined;
  }
}
