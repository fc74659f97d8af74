import { removeSource } from '@leeward/address-book';
import { distanceSettings } from '../coast/distance-settings.ts';
import { addressBookPath } from '../serve/open-distances.ts';
import type { Terminal } from '../terminal.ts';

export function removePlaces(source: string, terminal: Terminal): void {
  removeSource(addressBookPath(distanceSettings(terminal).dataFolder), source);
  terminal.write(`${source} is removed.\n`);
}
