import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export type Bump = 'major' | 'minor' | 'patch';

export interface Changeset {
  /** Its file, without the ending. */
  readonly name: string;
  /** By package. */
  readonly bumps: Readonly<Record<string, Bump>>;
  readonly text: string;
}

/**
 * Reads all changesets of a folder, by name.
 *
 * @throws {Error} If a file is not a changeset. The message names it.
 */
export function readChangesets(folder: string): Changeset[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.md') && file !== 'README.md')
    .sort()
    .map((file) => {
      const [, head, text] = /^---\n(.*?)\n---\n(.*)$/s.exec(readFileSync(join(folder, file), 'utf8')) ?? [];
      const bumps = head === undefined ? undefined : (parse(head) as Record<string, Bump> | null);
      if (!bumps || !text?.trim())
        throw new Error(`${file} is no changeset: packages between lines of ---, then what changed.`);
      return { name: file.replace('.md', ''), bumps, text: text.trim() };
    });
}

const kinds: readonly (readonly [Bump, string])[] = [
  ['major', 'To look at before you upgrade'],
  ['minor', 'New'],
  ['patch', 'Mended and made better'],
];

/** A version's section: what breaks first, then what is new, then the rest, each with the packages that it is about. */
export function changelogSection(version: string, date: string | undefined, changesets: readonly Changeset[]): string {
  const groups = kinds.flatMap(([bump, title]) => {
    const own = changesets.filter(({ bumps }) => greatest(bumps) === bump);
    return own.length === 0 ? [] : [`### ${title}\n\n${own.map(entry).join('\n')}`];
  });
  const head = date === undefined ? version : `${version} (${date})`;
  return `## ${head}\n\n${groups.length > 0 ? groups.join('\n\n') : 'Nothing yet.'}\n`;
}

function greatest(bumps: Changeset['bumps']): Bump {
  return kinds.find(([bump]) => Object.values(bumps).includes(bump))?.[0] ?? 'patch';
}

function entry({ bumps, text }: Changeset): string {
  const names = Object.keys(bumps).map((name) => name.replace('@leeward/', ''));
  return `- **${names.join(', ')}**: ${text.replaceAll('\n', '\n  ')}`;
}

const heading = '# Changes';

/** A changelog with a section put before those that it has. */
export function withSection(changelog: string, section: string): string {
  const rest = changelog.replace(/^# Changes\n+/, '').replace(/^Nothing is released yet\.\n*/, '');
  return `${heading}\n\n${section}${rest === '' ? '' : `\n${rest}`}`;
}
