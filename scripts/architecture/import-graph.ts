import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { packageFolders } from '../package-folders.ts';

const workspace = resolve(import.meta.dirname, '../..');

/** A source file of a package and what it imports; types count as values do. */
export interface SourceFile {
  /** Folder under `packages`. */
  readonly package: string;
  /** Path under the package's `src`, with `/`. */
  readonly path: string;
  /** Specifiers as they are written. */
  readonly imports: readonly string[];
}

/** An import of a file of the same package. `to` may be missing on disk. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
}

/** All that a package publishes or runs: its sources but for tests and what only tests use. */
export function readSources(root = workspace): SourceFile[] {
  return packageFolders(root).flatMap(({ name, path: at }) => {
    const folder = join(root, at, 'src');
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path) && !/\.test\.ts$|^(testing|test-programs)\//.test(path))
      .map((path) => sourceFile(name, path.replaceAll('\\', '/'), readFileSync(join(folder, path), 'utf8')));
  });
}

export function sourceFile(packageFolder: string, path: string, text: string): SourceFile {
  const { importedFiles } = ts.preProcessFile(text, true, true);
  return { package: packageFolder, path, imports: [...new Set(importedFiles.map(({ fileName }) => fileName))] };
}

/** Imports by path, of files of one package. */
export function arrowsOf(files: readonly SourceFile[]): Arrow[] {
  return files.flatMap(({ path, imports }) =>
    imports
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => ({ from: path, to: relative('/', resolve('/', path, '..', specifier)) })),
  );
}

/**
 * The first part of a path: a folder, or the name of a file in no folder. The `index.ts` of a folder is an entry point
 * and counts separately.
 */
export function roomOf(path: string): string {
  const [room, ...rest] = path.replace(/\.tsx?$/, '').split('/');
  return rest.join() === 'index' ? `${room}/index` : room!;
}

/** Groups of files that import each other round about, by Tarjan's algorithm; each group in order of names. */
export function circlesOf(arrows: readonly Arrow[]): string[][] {
  const targets = Map.groupBy(arrows, ({ from }) => from);
  const index = new Map<string, number>();
  const lowest = new Map<string, number>();
  const path: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string): void => {
    index.set(file, index.size);
    lowest.set(file, index.get(file)!);
    path.push(file);
    for (const { to } of targets.get(file) ?? []) {
      if (!index.has(to)) visit(to);
      if (path.includes(to)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(to)!));
    }
    if (lowest.get(file) !== index.get(file)) return;
    const circle = path.splice(path.indexOf(file)).sort();
    if (circle.length > 1 || targets.get(file)?.some(({ to }) => to === file)) circles.push(circle);
  };
  for (const file of targets.keys()) if (!index.has(file)) visit(file);
  return circles;
}

/** Imports between packages, by folder name. */
export function packageArrows(files: readonly SourceFile[]): Arrow[] {
  const pairs = files.flatMap((file) =>
    file.imports
      .map((specifier) => /^(?:@leeward\/([\w-]+)|(leeward))(?:\/|$)/.exec(specifier))
      .map((match) => (match?.[2] ? 'cli' : match?.[1]))
      .filter((to) => to !== undefined && to !== file.package)
      .map((to) => `${file.package} ${to}`),
  );
  return [...new Set(pairs)].sort().map((pair) => ({ from: pair.split(' ')[0]!, to: pair.split(' ')[1]! }));
}

/** Imports that lead from a folder to one above it in the plan, or that a folder makes that the plan does not have. */
export function arrowsBack(arrows: readonly Arrow[], floors: readonly string[]): string[] {
  const floorOf = (path: string) => (path.includes('/') ? floors.indexOf(roomOf(path)) : undefined);
  const isChecked = (path: string) => path.includes('/') && !/^[^/]+\/index\.ts$/.test(path);
  return arrows
    .filter(({ from, to }) => isChecked(from) && isChecked(to))
    .flatMap(({ from, to }) => {
      const [here, there] = [floorOf(from)!, floorOf(to)!];
      if (here < 0) return [`${from} lies in no floor plan`];
      if (there < 0) return [`${from} → ${to}, which lies in no floor plan`];
      return there > here ? [`${from} → ${to}, which is above it`] : [];
    });
}
