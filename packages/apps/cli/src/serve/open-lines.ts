import { resolve } from 'node:path';
import type { Catalog, Line } from '@leeward/engine';
import { type FollowedCatalog, type FollowOptions, followRuleSets } from '@leeward/http-admin';
import { openCatalog } from '../carriers/carrier-files.ts';
import { demoCarriersOf } from '../carriers/demo-carriers.ts';

/** A line of business that is on, who writes it, and where their files are. */
export interface OpenLine {
  readonly line: Line;
  readonly catalog: Catalog;
  /** Its whole path. */
  readonly carriersFolder: string;
}

/** A line whose carriers are those of the registry over those of its folder. */
export interface FollowedLine {
  readonly line: Line;
  readonly catalog: FollowedCatalog;
}

/** Lines with their carriers: those of the folder, or of a demo the invented ones. Rejects for a line of one's own without a folder. */
export async function openLines(
  lines: readonly Line[],
  carriersFolder: string | undefined,
  folder: string,
): Promise<readonly OpenLine[]> {
  const opened: OpenLine[] = [];
  for (const line of lines) {
    const where = carriersFolder ?? demoCarriersOf(line.vocabulary);
    opened.push({ line, catalog: await openCatalog(where, folder, { line }), carriersFolder: resolve(folder, where) });
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
