import { resolve } from 'node:path';
import type { Catalog, Line } from '@leeward/engine';
import { type FollowedCatalog, type FollowOptions, followRuleSets } from '@leeward/http-admin';
import { openCatalog } from '../carriers/carrier-files.ts';
import { demoCarriersOf } from '../carriers/demo-carriers.ts';

/** A line with its module and carriers. */
export interface OpenLine {
  readonly line: Line;
  readonly catalog: Catalog;
  /** Absolute path. */
  readonly carriersFolder: string;
}

/** Rules of the registry, before those of the folder. */
export interface FollowedLine {
  readonly line: Line;
  readonly catalog: FollowedCatalog;
}

/** Lines with the carriers of their folder, or the invented ones in a demo. Rejects for a custom line without a folder. */
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

/** Serves lines by the rules in force. If the registry cannot be read, rejects and follows none. */
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
