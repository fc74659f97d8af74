import { resolve } from 'node:path';
import { geocoderSettings } from '../serve/geocoder-settings.ts';
import type { DistanceSettings } from '../serve/open-distances.ts';
import { placeCoastlines } from '../settings/coastline-names.ts';
import { readSettings } from '../settings/read-settings.ts';
import { refuseFaults } from '../settings/refuse-faults.ts';
import type { Terminal } from '../terminal.ts';

/**
 * Geocoders like those of a service.
 *
 * @throws {CommandError} With every fault.
 */
export function distanceSettings({
  environment,
  folder,
}: Pick<Terminal, 'environment' | 'folder'>): Required<Omit<DistanceSettings, 'hazards'>> {
  const faults: string[] = [];
  const settings = readSettings({ environment, folder }, faults);
  const dataFolder = resolve(folder, settings.value('data_dir') ?? '');
  const geocoders = geocoderSettings((name) => settings.variables[name] || undefined, faults);
  const coastlines = placeCoastlines(settings.value('coastlines')?.join(',') ?? '', folder);
  refuseFaults(faults);
  return { dataFolder, geocoders, coastlines };
}
