import { fileURLToPath } from 'node:url';
import type { Catalog, Line } from '@leeward/engine';
import { carriersOfLine, shippedLines } from '@leeward/lines';
import { openCatalog } from '../carriers/carrier-files.ts';

/** A line of business that is on, who writes it, and where their files are. */
export interface OpenLine {
  readonly line: Line;
  readonly catalog: Catalog;
  readonly carriersFolder: string;
}

/** The lines of these names. */
export function linesNamed(names: readonly string[]): readonly Line[] {
  return names.flatMap((name) => shippedLines.get(name) ?? []);
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
