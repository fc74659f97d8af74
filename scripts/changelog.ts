/**
 * `node scripts/changelog.ts [--version]`
 *
 * Prints what the next release brings, out of the changesets. With `--version` the changesets raise the versions, and what they say goes
 * into CHANGELOG.md: one list for all packages, whose versions rise together.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { changelogSection, readChangesets, withSection } from './release/changelog.ts';
import { writeOtherVersions } from './release/other-versions.ts';

const root = resolve(import.meta.dirname, '..');
const changesets = readChangesets(join(root, '.changeset'));

if (!process.argv.includes('--version')) {
  process.stdout.write(changelogSection('Next', undefined, changesets));
} else {
  execFileSync('npx', ['changeset', 'version'], { cwd: root, stdio: 'inherit' });
  const { version } = JSON.parse(readFileSync(join(root, 'packages/apps/cli/package.json'), 'utf8')) as {
    version: string;
  };
  writeOtherVersions(root, version);
  const file = join(root, 'CHANGELOG.md');
  const today = new Date().toISOString().slice(0, 10);
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (changesets.length > 0) writeFileSync(file, withSection(before, changelogSection(version, today, changesets)));
}
