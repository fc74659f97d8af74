import type { Coast, CoastAnswer, CoastBatch, CoastDefinitionInput, GeographicPoint } from '@leeward/coast';

/** Two coasts over the same data that differ in how they combine it: the oceans' classes err otherwise than a shore does. */
export interface CoastsByDefinition {
  readonly tidal: Coast;
  readonly ocean: Coast;
}

/** One coast that passes each question to the one made for its definition. */
export function coastByDefinition({ tidal, ocean }: CoastsByDefinition): Coast {
  const coastFor = (definition: CoastDefinitionInput | undefined): Coast => (isOcean(definition) ? ocean : tidal);
  return {
    datasets: tidal.datasets,
    nearest(point: GeographicPoint, definition?: CoastDefinitionInput): CoastAnswer {
      return coastFor(definition).nearest(point, definition);
    },
    nearestByEach(point: GeographicPoint, definitions: readonly CoastDefinitionInput[]): CoastAnswer[] {
      return definitions.map((definition) => coastFor(definition).nearest(point, definition));
    },
    nearestSeveral(point: GeographicPoint, count: number, definition?: CoastDefinitionInput): CoastAnswer[] {
      return coastFor(definition).nearestSeveral(point, count, definition);
    },
    nearestMany(
      latitudes: Float64Array,
      longitudes: Float64Array,
      batch: CoastBatch,
      definition?: CoastDefinitionInput,
    ): void {
      coastFor(definition).nearestMany(latitudes, longitudes, batch, definition);
    },
  };
}

/** An ocean's layer decides alone; where `tidal` is asked too, the ocean's shores are among the tidal ones anyway. */
function isOcean(definition: CoastDefinitionInput | undefined): boolean {
  if (definition === undefined) return false;
  const layers = typeof definition === 'string' ? [definition] : definition.layers;
  return Array.isArray(layers) && layers.some((layer) => OCEANS.has(layer)) && !layers.includes('tidal');
}

const OCEANS: ReadonlySet<string> = new Set(['ocean', 'ocean_narrow', 'ocean_wide']);
