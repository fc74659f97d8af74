/**
 * `npm run release [-- --dry-run]`
 *
 * Publishes the packages after checking this exact tree: lint, types, dependencies, build, each package packed and
 * installed alone, the
 * available runtimes, and the guides. The first failure stops it and nothing is published. Tests are run by the
 * workflow, which calls
 * this script after they passed on the same commit; only the workflow may publish. A dry run does everything except
 * publish.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { packageFolders } from './package-folders.ts';
import { readChangesets } from './release/changelog.ts';
import { refusals } from './release/refusals.ts';

const root = resolve(import.meta.dirname, '..');
const isDryRun = process.argv.includes('--dry-run');
const environment = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` };

function run(command: string, ...words: string[]): void {
  console.log(`\n== ${[command, ...words].join(' ')}`);
  execFileSync(command, words, { cwd: root, env: environment, stdio: 'inherit' });
}

const manifests = packageFolders(root).map(
  ({ path }) =>
    JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) as {
      name: string;
      version: string;
      private?: boolean;
      repository?: { url: string };
    },
);
const published = manifests.filter((manifest) => !manifest.private);
const changed = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' }).trim();
const reasons = refusals({
  changed: changed === '' ? [] : changed.split('\n'),
  versions: Object.fromEntries(published.map(({ name, version }) => [name, version])),
  repositories: Object.fromEntries(published.map(({ name, repository }) => [name, repository?.url])),
  changesets: readChangesets(join(root, '.changeset')).map(({ name }) => name),
  environment: process.env,
  isDryRun,
});
if (reasons.length > 0) {
  console.error(`Nothing is published:\n${reasons.map((reason) => `- ${reason}`).join('\n')}`);
  process.exit(1);
}
run('npm', 'run', 'check');
run('npm', 'run', 'build');
run('npm', 'run', 'check:packed');
const tarballs = mkdtempSync(join(tmpdir(), 'leeward-release-'));
run('npm', 'pack', '--workspaces', '--silent', '--pack-destination', tarballs);
run(process.execPath, 'scripts/check-runtimes.ts', '--tarballs', tarballs);
run('npm', 'run', 'check:guides', '--', '--tarballs', tarballs);
if (isDryRun)
  for (const { name } of published)
    run('npm', 'publish', '--dry-run', '--access', 'public', '--tag', 'dry-run', '-w', name);
else run('npx', 'changeset', 'publish');
