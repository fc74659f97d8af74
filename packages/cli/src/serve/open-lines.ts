import { fileURLToPath } from 'node:url';
import type { Catalog, Line } from '@leeward/engine';
import { type FollowedCatalog, type FollowOptions, followRuleSets } from '@leeward/http';
import { carriersOfLine } from '@leeward/lines';
import { openCatalog } from '../carriers/carrier-files.ts';
import { linesNamed } from '../lines/named-lines.ts';

/** A line of business that is on, who writes it, and where their files are. */
export interface OpenLine {
  readonly line: Line;
  readonly catalog: Catalog;
  readonly carriersFolder: string;
}

/** A line whose carriers are those of the registry over those of its folder. */
export interface FollowedLine {
  readonly line: Line;
  readonly catalog: FollowedCatalog;
}

/** Lines with their carriers: those of the folder, or of a demo the invented ones. */
export async function openLines(
  names: readonly string[],
  carriersFolder: string | undefined,
  folder: string,
): Promise<readonly OpenLine[]> {
  const opened: OpenLine[] = [];
  for (const line of linesNamed(names)) {
    const where = carriersFolder ?? fileURLToPath(carriersOfLine(line.vocabulary.line));
    opened.push({ line, catalog: await openCatalog(where, folder, { line }), carriersFolder: where });
  }
  return opened;
}

/** Serves lines by the rules that the registry has in force. Rejects, with none of them followed, where it cannot be read. */
export async function followLines(
  opened: readonly OpenLine[],
  options: Omit<FollowOptions, 'base'>,
): Promise<readonly FollowedLine[]> {
  const followed: FollowedLine[] = [];
  try {
    for (const { line, catalog: base } of opened) {
      const catalog = followRuleSets({ ...options, base });
      followed.push({ line, catalog });
      await catalog.start();
    }
    return followed;
  } catch (error) {
    for (const { catalog } of followed) catalog.stop();
    throw error;
  }
}
