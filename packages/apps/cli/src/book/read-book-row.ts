import type { MeasurePlaces, ReadRow } from '@leeward/books';
import type { Vocabulary } from '@leeward/engine';
import { limitAtOnce } from '../rows/limit-at-once.ts';
import type { Terminal } from '../terminal.ts';

/** A book has time to wait for its turn at a geocoder. */
const MAX_WAIT_MS = 600_000;
const MAX_LOOK_UPS_AT_ONCE = 8;

/** How rows are read that columns do not carry, and how those with a point are measured together. */
export interface RowReader {
  readonly readRow: ReadRow;
  readonly measurePlaces: MeasurePlaces;
}

/**
 * Reads a row of a book as HTTP reads a request. What that takes, the shoreline and the geocoders among it, is loaded for the first
 * such row: most books have none.
 */
export function createRowReader(
  asOf: Date,
  vocabulary: Vocabulary,
  terminal: Pick<Terminal, 'environment' | 'folder'>,
): RowReader {
  const inTurn = limitAtOnce(MAX_LOOK_UPS_AT_ONCE);
  const loading = async () => {
    const [{ readHome, measurePoints }, { lazyDistances }] = await Promise.all([
      import('@leeward/http'),
      import('../homes/lazy-distances.ts'),
    ]);
    return { readHome, measurePoints, distance: lazyDistances(terminal, { maxWaitMs: MAX_WAIT_MS }) };
  };
  let loaded: ReturnType<typeof loading> | undefined;
  return {
    async readRow(body) {
      loaded ??= loading();
      const { readHome, distance } = await loaded;
      const work = () => readHome(body, { now: asOf, vocabulary, distance });
      const isObject = typeof body === 'object' && body !== null;
      const home = await (isObject && 'address' in body ? inTurn(work) : work());
      if (!home.ok) return home;
      return { ok: true, property: home.request.property, warnings: home.request.warnings };
    },
    async measurePlaces({ given, ...places }) {
      loaded ??= loading();
      const { measurePoints, distance } = await loaded;
      return measurePoints({ ...places, distances: given }, vocabulary, await distance());
    },
  };
}
