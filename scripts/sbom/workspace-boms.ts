import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolders } from '../package-folders.ts';
import { type Bom, bomOfPackage } from './bom.ts';

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** Bills of all published packages and of the image, by name, from the lockfile. */
export function workspaceBoms(root: string): ReadonlyMap<string, Bom> {
  const read = (path: string) => JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) as Manifest;
  const packages = packageFolders(root).map(({ path }) => read(path));
  const image = read('deploy');
  const shipped = new Map([...packages, image].map((manifest) => [manifest.name, installedWith(manifest)]));
  const words = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const options = { cwd: root, maxBuffer: 64 * 2 ** 20, encoding: 'utf8' } as const;
  const bom = JSON.parse(execFileSync('npm', words, options)) as Bom;
  const names = [...packages.filter((each) => !each.private), image].map(({ name }) => name);
  return new Map(names.map((name) => [name, bomOfPackage(bom, name, shipped)]));
}

function installedWith({
  dependencies,
  optionalDependencies,
  peerDependencies,
  peerDependenciesMeta,
}: Manifest): ReadonlySet<string> {
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional);
  return new Set([...Object.keys(dependencies ?? {}), ...Object.keys(optionalDependencies ?? {}), ...peers]);
}
