import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { groupOf, listFiles } from './files.ts';
import { readMarkdown } from './read-markdown.ts';
import { readSource } from './read-source.ts';
import { checkPiece, type Hit } from './rules.ts';
import { countWords, type Kind, type Piece } from './sentences.ts';

export const KINDS: readonly Kind[] = ['comment', 'prose', 'test', 'text', 'name'];

/** Number of hits by `<package> <kind>`. Keys without hits are left out. */
export type Counts = Readonly<Record<string, number>>;

export interface GroupReport {
  readonly hits: Hit[];
  readonly commentSentences: number;
  readonly commentWords: number;
}

/** Reads a checkout. Returns the hits of every package and top folder. */
export function readTree(root: string): Map<string, GroupReport> {
  const groups = new Map<string, GroupReport>();
  for (const file of listFiles(root)) {
    const source = readIfPresent(join(root, file));
    if (source === undefined) continue;
    const pieces = readPieces(file, source);
    const comments = pieces.filter((piece) => piece.kind === 'comment');
    const before = groups.get(groupOf(file)) ?? { hits: [], commentSentences: 0, commentWords: 0 };
    groups.set(groupOf(file), {
      hits: [...before.hits, ...pieces.flatMap(checkPiece)],
      commentSentences: before.commentSentences + comments.length,
      commentWords: before.commentWords + comments.reduce((sum, piece) => sum + countWords(piece.text), 0),
    });
  }
  return groups;
}

/** Returns every piece of text of one file. */
export function readPieces(file: string, source: string): Piece[] {
  return file.endsWith('.md') ? readMarkdown(file, source) : readSource(file, source);
}

/** `git ls-files` lists files that were deleted but not yet committed. */
function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

export function countHits(groups: ReadonlyMap<string, GroupReport>): Counts {
  const counts: Record<string, number> = {};
  for (const [group, { hits }] of groups) {
    for (const { piece } of hits) counts[`${group} ${piece.kind}`] = (counts[`${group} ${piece.kind}`] ?? 0) + 1;
  }
  return counts;
}

export interface Increase {
  readonly key: string;
  readonly allowed: number;
  readonly actual: number;
}

/** Returns the keys whose count rose. A key that the file does not list must stay zero. */
export function findIncreases(actual: Counts, allowed: Counts): Increase[] {
  return Object.entries(actual)
    .map(([key, count]) => ({ key, allowed: allowed[key] ?? 0, actual: count }))
    .filter((each) => each.actual > each.allowed)
    .sort((a, b) => a.key.localeCompare(b.key));
}

/** Returns the smaller of both counts for each key; with `canIncrease`, the actual counts. */
export function lowerCounts(actual: Counts, allowed: Counts, canIncrease: boolean): Counts {
  if (canIncrease) return actual;
  return Object.fromEntries(Object.entries(allowed).map(([key, count]) => [key, Math.min(count, actual[key] ?? 0)]));
}

/**
 * Returns the actual counts after files moved between packages.
 * @throws if the sum of a kind over all packages rose.
 */
export function moveCounts(actual: Counts, allowed: Counts): Counts {
  for (const kind of KINDS) {
    const [now, before] = [sumOfKind(actual, kind), sumOfKind(allowed, kind)];
    if (now > before) throw new Error(`${kind}: ${now}, allowed ${before}.`);
  }
  return actual;
}

function sumOfKind(counts: Counts, kind: Kind): number {
  return Object.entries(counts).reduce((sum, [key, count]) => (key.endsWith(` ${kind}`) ? sum + count : sum), 0);
}

/** Writes one line per key, sorted, so that changes to different packages merge. */
export function formatCounts(counts: Counts): string {
  const keys = Object.keys(counts)
    .filter((key) => counts[key] !== 0)
    .sort();
  if (keys.length === 0) return '{}\n';
  return `{\n${keys.map((key) => `  ${JSON.stringify(key)}: ${counts[key]}`).join(',\n')}\n}\n`;
}
