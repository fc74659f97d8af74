import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { licenceOf } from '../scripts/sbom/bom.ts';
import { licenceReport } from '../scripts/sbom/licence-report.ts';
import { workspaceBoms } from '../scripts/sbom/workspace-boms.ts';
import { workspace } from './support/running-leeward.ts';

const readJson = (path: string) => JSON.parse(readFileSync(join(workspace, path), 'utf8'));

it('pins every action of a workflow by its commit, and names the release', () => {
  const folder = join(workspace, '.github/workflows');
  const uses = readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter((line) => /^\s*(- )?uses:/.test(line) && !line.includes('uses: ./'))
      .map((line) => `${name}: ${line.trim()}`),
  );
  expect(uses.length).toBeGreaterThan(10);
  expect(uses.filter((line) => !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
});

it('lists every dependency with an install script under allowScripts', () => {
  const { packages } = readJson('package-lock.json') as { packages: Record<string, { hasInstallScript?: boolean }> };
  const { allowScripts } = readJson('package.json') as { allowScripts: Record<string, boolean> };
  const withScripts = Object.keys(packages).filter((path) => packages[path]!.hasInstallScript);
  const names = withScripts.map((path) => path.split('node_modules/').at(-1)!);
  expect([...new Set(names)].sort()).toEqual(Object.keys(allowScripts).sort());
});

/** Licences that allow use in closed products, and those of data and texts. Others need a decision. */
const allowedLicences = new Set([
  ...['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'CC-BY-4.0', 'CC0-1.0', 'ISC', 'MIT'],
  ...['MIT-0', 'Python-2.0', 'Unlicense', 'Zlib'],
  // splaytree-ts misspells its licence, BSD-3-Clause.
  'BDS-3-Clause',
]);

it('ships dependencies under allowed licences only', () => {
  const { packages } = readJson('package-lock.json') as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean; link?: boolean; license?: string }>;
  };
  const shipped = Object.entries(packages).filter(
    ([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link,
  );
  expect(shipped.length).toBeGreaterThan(50);
  const isAllowed = (licence = '') =>
    licence
      .replaceAll(/[()]/g, '')
      .split(' OR ')
      .some((each) => each.split(' AND ').every((one) => allowedLicences.has(one)));
  expect(
    shipped.filter(([, { license }]) => !isAllowed(license)).map(([path, { license }]) => `${path}: ${license}`),
  ).toEqual([]);
});

it('writes a bill of materials of all installed packages, for each package and the image', () => {
  const boms = workspaceBoms(workspace);
  expect([...boms.keys()]).toEqual(expect.arrayContaining(['leeward', '@leeward/engine', 'leeward-image']));
  for (const name of ['leeward', '@leeward/coast']) {
    const words = ['ls', '--workspace', name, '--omit', 'dev', '--all', '--package-lock-only', '--parseable'];
    const installed = execFileSync('npm', words, { cwd: workspace, encoding: 'utf8' })
      .split('\n')
      .flatMap((line) => /(?:^|node_modules\/)((?:@[^/]+\/)?[^/]+)$/.exec(line)?.[1] ?? []);
    const { metadata, components, dependencies } = boms.get(name)!;
    expect(metadata).toMatchObject({ component: { name } });
    expect([...new Set([name, ...components.map((each) => each.name)])].sort()).toEqual(
      [...new Set(installed)].filter((each) => each !== '').sort(),
    );
    const refs = new Set(dependencies.map(({ ref }) => ref));
    expect(dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !refs.has(ref))).toEqual([]);
  }
  const all = [...boms.values()].flatMap(({ components }) => components);
  expect(all.filter((each) => licenceOf(each) === 'unknown').map(({ name }) => name)).toEqual([]);
  expect(licenceReport([...boms.values()]).text).toContain('| MIT |');
});
