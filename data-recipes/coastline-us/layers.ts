/** Layers in the order of their bits. Each ocean is within the previous one. */
export const LAYER_NAMES = ['tidal', 'ocean_narrow', 'ocean', 'ocean_wide', 'great_lakes', 'neighbour'] as const;

/**
 * Radius of the disk that must reach water from the open sea for `ocean_narrow`, `ocean`, `ocean_wide`. The default, 3,200 m, is water
 * four miles wide. It excludes Tampa Bay, Galveston Bay, Pamlico Sound, San Francisco Bay and Puget Sound, which have narrower mouths.
 * It includes waters that storms reach at full strength: Massachusetts Bay, the lower Chesapeake and Delaware, Mississippi Sound, the
 * Strait of Juan de Fuca. 1,600 m adds bays with a mouth of two miles, such as Tampa's; 10,000 m removes every bay and strait.
 */
export const OCEAN_RADII_METERS = [1_600, 3_200, 10_000] as const;

export function layerBit(name: (typeof LAYER_NAMES)[number]): number {
  return 1 << LAYER_NAMES.indexOf(name);
}
