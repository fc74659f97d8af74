import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { guideSteps, linesMissing } from '../packages/apps/cli/src/testing/guide-steps.ts';
import { packageFolders } from '../scripts/package-folders.ts';
import { changelogSection, readChangesets, withSection } from '../scripts/release/changelog.ts';
import { readOtherVersions, writeOtherVersions } from '../scripts/release/other-versions.ts';
import { type ReleaseState, refusals } from '../scripts/release/refusals.ts';
import { workspace } from './support/running-leeward.ts';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, unknown>>;
}
interface Job {
  readonly needs?: string | string[];
  readonly uses?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly string[]>> };
  readonly steps?: readonly Step[];
}
interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const folder = join(workspace, '.github/workflows');
const workflow = (name: string) => parse(readFileSync(join(folder, name), 'utf8')) as Workflow;
const ci = workflow('ci.yml');
const release = workflow('release.yml');

describe('the release', () => {
  it('needs all of ci, and there is no other way to publish', () => {
    const publishing = readdirSync(folder).flatMap((name) =>
      Object.entries(workflow(name).jobs).filter(([, { steps = [] }]) =>
        steps.some(({ run = '', with: given = {} }) =>
          /publish|npm run release(?! -- --dry-run)/.test(`${run} ${given['publish'] ?? ''}`),
        ),
      ),
    );
    expect(publishing.map(([name]) => name)).toEqual(['release']);
    expect(release.jobs['release']!.needs).toBe('prove');
    expect(release.jobs['prove']!.uses).toBe('./.github/workflows/ci.yml');
    expect(Object.keys(ci.on)).toContain('workflow_call');
    expect(Object.keys(ci.jobs).sort()).toEqual(['check', 'documentation', 'guides', 'pack', 'runtimes', 'suite']);
  });

  it('is the only job that may write, or sign where packages come from', () => {
    expect([ci.permissions, release.permissions]).toEqual([{ contents: 'read' }, { contents: 'read' }]);
    expect(release.jobs['release']!.permissions).toMatchObject({ 'id-token': 'write' });
    expect(Object.values(ci.jobs).filter(({ permissions }) => permissions !== undefined)).toEqual([]);
    const action = release.jobs['release']!.steps!.find(({ uses }) => uses?.startsWith('changesets/action'))!;
    expect(action.with).toMatchObject({ publish: 'npm run release', version: '.ci/version' });
    expect(action.env!['NPM_CONFIG_PROVENANCE']).toBe(true);
  });

  it('is tested on every supported Node version, and on three systems', () => {
    const engines = packageFolders(workspace).map(
      ({ path }) => JSON.parse(readFileSync(join(workspace, path, 'package.json'), 'utf8')).engines.node as string,
    );
    expect([...new Set(engines)]).toEqual(['>=22.18']);
    expect(ci.jobs['suite']!.strategy!.matrix['node']).toEqual(['22', '24', 'current']);
    expect(ci.jobs['runtimes']!.strategy!.matrix).toEqual({
      os: ['ubuntu-latest', 'macos-latest', 'windows-latest'],
      node: ['22.18', '22', '24', 'current'],
    });
    expect(ci.jobs['runtimes']!.steps!.at(-1)!.run).toMatch(/ node bun deno$/);
  });

  it('runs scripts that there are', () => {
    const { scripts } = JSON.parse(readFileSync(join(workspace, 'package.json'), 'utf8')) as { scripts: object };
    const lines = [ci, release].flatMap(({ jobs }) =>
      Object.values(jobs).flatMap(({ steps = [] }) =>
        steps.flatMap((step) => [step.run ?? '', step.with?.['publish'] ?? '', step.with?.['version'] ?? '']),
      ),
    );
    for (const [, name] of lines.join('\n').matchAll(/npm run ([\w:]+)/g)) expect(Object.keys(scripts)).toContain(name);
    for (const [file] of lines.join('\n').matchAll(/(?:scripts\/[\w-]+\.ts|\.ci\/\w+)/g))
      expect([file, existsSync(join(workspace, file))]).toEqual([file, true]);
  });
});

describe('what stops a release', () => {
  const good: ReleaseState = {
    changed: [],
    versions: { leeward: '0.1.0', '@leeward/engine': '0.1.0' },
    repositories: { leeward: 'git+https://github.com/leeward/leeward.git' },
    changesets: [],
    environment: {
      ACTIONS_ID_TOKEN_REQUEST_URL: 'https://token.example',
      NPM_CONFIG_PROVENANCE: 'true',
      GITHUB_REPOSITORY: 'leeward/leeward',
    },
    isDryRun: false,
  };

  it('nothing where all is as it must be', () => {
    expect(refusals(good)).toEqual([]);
  });

  it.each<[string, Partial<ReleaseState>, RegExp]>([
    ['a tree that is not committed', { changed: [' M package.json'] }, /not what is committed: {2}M package.json/],
    ['versions that differ', { versions: { leeward: '0.1.0', '@leeward/engine': '0.2.0' } }, /they have 0.1.0, 0.2.0/],
    ['no version', { versions: { leeward: '0.0.0' } }, /version is 0.0.0/],
    ['changesets that wait', { changesets: ['books'] }, /Changesets wait for a version: books/],
    ['no token', { environment: { ...good.environment, ACTIONS_ID_TOKEN_REQUEST_URL: undefined } }, /no provenance/],
    [
      'a package of elsewhere',
      { repositories: { leeward: 'git+https://example.com/x.git' } },
      /leeward\.git: leeward\./,
    ],
    [
      'provenance turned off',
      { environment: { ...good.environment, NPM_CONFIG_PROVENANCE: 'false' } },
      /NPM_CONFIG_PROVENANCE is not true/,
    ],
  ])('%s', (_, change, expected) => {
    const found = refusals({ ...good, ...change });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(expected);
  });

  it('a dry run has fewer preconditions', () => {
    const dry = { ...good, environment: {}, versions: { leeward: '0.0.0' }, changesets: ['books'], isDryRun: true };
    expect(refusals(dry)).toEqual([]);
    expect(refusals({ ...dry, changed: ['?? x'] })).toHaveLength(1);
  });
});

describe('the script of a release', () => {
  const steps = [
    'run check',
    'run build',
    'run check:packed',
    'pack --workspaces --silent --pack-destination TARBALLS',
    'runtimes --tarballs TARBALLS',
    'run check:guides -- --tarballs TARBALLS',
  ];
  const published = ['publish --dry-run --access public --tag dry-run -w @leeward/a'];

  /** Runs the script in a separate tree, where npm only records its arguments and fails at one word. */
  function release(words: readonly string[], failing = 'nothing', environment: Readonly<Record<string, string>> = {}) {
    const folder = mkdtempSync(join(tmpdir(), 'leeward-release-test-'));
    const programs = mkdtempSync(join(tmpdir(), 'leeward-release-programs-'));
    try {
      cpSync(join(workspace, 'scripts/release'), join(folder, 'scripts/release'), { recursive: true });
      for (const file of ['release.ts', 'package-folders.ts'])
        cpSync(join(workspace, 'scripts', file), join(folder, 'scripts', file));
      symlinkSync(join(workspace, 'node_modules'), join(folder, 'node_modules'));
      mkdirSync(join(folder, '.changeset'));
      mkdirSync(join(folder, 'packages/core/a'), { recursive: true });
      writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
      writeFileSync(join(folder, 'packages/core/a/package.json'), '{ "name": "@leeward/a", "version": "0.1.0" }');
      const log = join(programs, 'log');
      writeFileSync(
        join(folder, 'scripts/check-runtimes.ts'),
        `import { appendFileSync } from 'node:fs';
        appendFileSync(${JSON.stringify(log)}, 'runtimes ' + process.argv.slice(2).join(' ') + '\\n');`,
      );
      const npm = `#!/bin/sh\necho "$*" >> '${log}'\nfor word; do if [ "$word" = '${failing}' ]; then exit 1; fi; done\n`;
      for (const name of ['npm', 'npx']) writeFileSync(join(programs, name), npm, { mode: 0o755 });
      const git = (...given: string[]) => spawnSync('git', given, { cwd: folder });
      git('init', '-q');
      git('add', '-A');
      git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'All');
      const { status, stderr } = spawnSync(process.execPath, ['scripts/release.ts', ...words], {
        cwd: folder,
        encoding: 'utf8',
        env: { PATH: `${programs}:${process.env['PATH']}`, ...environment },
      });
      const asked = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
      return { status, stderr, asked: asked.map((line) => line.replaceAll(/\S+leeward-release-\w+/g, 'TARBALLS')) };
    } finally {
      for (const made of [folder, programs]) rmSync(made, { recursive: true, force: true });
    }
  }

  it('proves all of it, and publishes nothing where it is a dry run', () => {
    expect(release(['--dry-run'])).toMatchObject({ status: 0, asked: [...steps, ...published] });
  });

  it.each(['check', 'check:packed', 'check:guides'])(
    'publishes nothing where %s fails, and does not go on',
    (failing) => {
      const { status, asked } = release(['--dry-run'], failing);
      expect(status).not.toBe(0);
      expect(asked.at(-1)).toContain(`run ${failing}`);
      expect(asked).toEqual(steps.slice(0, asked.length));
    },
  );

  it('runs nothing outside the workflow', () => {
    const { status, stderr, asked } = release([]);
    expect([status, asked]).toEqual([1, []]);
    expect(stderr).toContain('publish from the release workflow');
  });
});

describe('the changelog', () => {
  it('takes every changeset, of packages that there are', () => {
    const names = packageFolders(workspace).map(
      ({ path }) => JSON.parse(readFileSync(join(workspace, path, 'package.json'), 'utf8')).name as string,
    );
    for (const { name, bumps } of readChangesets(join(workspace, '.changeset')))
      expect([name, Object.keys(bumps).filter((each) => !names.includes(each))]).toEqual([name, []]);
  });

  it('raises the versions of the Python and Java packages too', () => {
    const { version } = JSON.parse(readFileSync(join(workspace, 'packages/apps/cli/package.json'), 'utf8'));
    const files = Object.keys(readOtherVersions(workspace));
    expect(files.map((file) => file.split('/')[2])).toEqual(['python', 'java']);
    expect(Object.values(readOtherVersions(workspace))).toEqual([version, version]);
    const folder = mkdtempSync(join(tmpdir(), 'leeward-versions-'));
    try {
      for (const file of files) cpSync(join(workspace, file), join(folder, file));
      writeOtherVersions(folder, '12.3.4');
      expect(Object.values(readOtherVersions(folder))).toEqual(['12.3.4', '12.3.4']);
      for (const file of files) {
        const [before, after] = [workspace, folder].map((root) => readFileSync(join(root, file), 'utf8'));
        expect(after!.replace('12.3.4', version)).toBe(before);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('puts the newest version first, and what breaks before what is new', () => {
    const changes = [
      { name: 'a', bumps: { '@leeward/engine': 'patch' }, text: 'Faster.' },
      { name: 'b', bumps: { leeward: 'minor', '@leeward/http': 'patch' }, text: 'A command.\n\nAnd how.' },
      { name: 'c', bumps: { '@leeward/quotes': 'major' }, text: 'Another name.' },
    ] as const;
    const first = withSection(
      '# Changes\n\nNothing is released yet.\n',
      changelogSection('0.1.0', '2026-11-22', changes),
    );
    expect(first).toBe(
      '# Changes\n\n## 0.1.0 (2026-11-22)\n\n### To look at before you upgrade\n\n- **quotes**: Another name.\n\n' +
        '### New\n\n- **leeward, http**: A command.\n  \n  And how.\n\n### Mended and made better\n\n- **engine**: Faster.\n',
    );
    const second = withSection(first, changelogSection('0.1.1', '2026-12-01', []));
    expect(second.indexOf('0.1.1')).toBeLessThan(second.indexOf('0.1.0'));
    expect(second.match(/^# Changes$/gm)).toHaveLength(1);
  });
});

describe('the guides, as they are typed', () => {
  it('steps are found in order', () => {
    const text =
      'Save:\n\n<!-- save: a/b.json -->\n\n```json\n{}\n```\n\n```sh\nls\n```\n\n```text\na\n```\n\n## PostgreSQL\n\n<!-- keeps running -->\n\n```sh\nserve\n```\n';
    expect(guideSteps(text)).toEqual([
      { kind: 'file', name: 'a/b.json', text: '{}\n', needsServers: false },
      { kind: 'shell', text: 'ls\n', keepsRunning: false, endsWith: 0, needsServers: false },
      { kind: 'output', text: 'a\n', needsServers: false },
      { kind: 'shell', text: 'serve\n', keepsRunning: true, endsWith: 0, needsServers: true },
    ]);
  });

  it('file edits described in prose and expected failures are steps', () => {
    const text =
      '<!-- edit: a.json | x y | z -->\n<!-- copy: a.json | b.json -->\n\n<!-- insert: a.json | after rule r -->\n\n```json\n{}\n```\n\n<!-- ends with 1 -->\n\n```sh\nls\n```\n';
    expect(guideSteps(text)).toEqual([
      { kind: 'edit', name: 'a.json', from: 'x y', to: 'z', needsServers: false },
      { kind: 'copy', name: 'a.json', to: 'b.json', needsServers: false },
      { kind: 'insert', name: 'a.json', rule: 'r', text: '{}\n', needsServers: false },
      { kind: 'shell', text: 'ls\n', keepsRunning: false, endsWith: 1, needsServers: false },
    ]);
  });

  it.each(['docs/start.md', 'docs/embed.md', 'docs/authoring-guide.md', 'docs/operate.md'])(
    '%s has commands and shows their output',
    (guide) => {
      const steps = guideSteps(readFileSync(join(workspace, guide), 'utf8'));
      for (const kind of ['shell', 'output'])
        expect(steps.filter((step) => step.kind === kind).length).toBeGreaterThan(1);
    },
  );

  it('names the missing output', () => {
    expect(linesMissing('one  two\n…\nthree\n', '  one two\n')).toEqual(['three']);
  });
});
