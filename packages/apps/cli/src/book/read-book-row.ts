import type { MeasurePlaces, ReadRow } from '@leeward/books';
import type { Vocabulary } from '@leeward/engine';
import { limitAtOnce } from '../rows/limit-at-once.ts';
import type { Terminal } from '../terminal.ts';

/** Maximum wait for a rate-limited geocoder; books are not interactive. */
const MAX_WAIT_MS = 600_000;
const MAX_LOOK_UPS_AT_ONCE = 8;

/** Reads rows that columns cannot represent, and measures rows with points together. */
export interface RowReader {
  readonly readRow: ReadRow;
  readonly measurePlaces: MeasurePlaces;
}

/** Like an HTTP request. Loads shoreline and geocoders with the first such row, because most books lack them. */
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
    async readRow(body, certainties) {
      loaded ??= loading();
      const { readHome, distance } = await loaded;
      const work = () => readHome(body, { now: asOf, vocabulary, distance, certainties: () => certainties });
      const isObject = typeof body === 'object' && body !== null;
      const home = await (isObject && 'address' in body ? inTurn(work) : work());
      if (!home.ok) return home;
      return { ok: true, property: home.request.property, warnings: home.request.warnings };
    },
    async measurePlaces(places) {
      loaded ??= loading();
      const { measurePoints, distance } = await loaded;
      return measurePoints(places, vocabulary, await distance());
    },
  };
}
