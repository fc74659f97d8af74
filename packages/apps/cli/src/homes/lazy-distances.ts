import type { DistancePorts } from '@leeward/http/distance';
import { distanceSettings } from '../coast/distance-settings.ts';
import { type OpenOptions, openDistances } from '../serve/open-distances.ts';
import type { Terminal } from '../terminal.ts';

/** Distances like those of a service. Opened for the first home with a place, because loading takes some tenths of a second. */
export function lazyDistances(
  terminal: Pick<Terminal, 'environment' | 'folder'>,
  options?: OpenOptions,
): () => Promise<DistancePorts> {
  let opened: Promise<DistancePorts> | undefined;
  return () => {
    opened ??= (async () => openDistances(distanceSettings(terminal), options))();
    return opened;
  };
}
