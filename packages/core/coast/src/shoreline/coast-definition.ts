import { CoastError } from '../coast-error.ts';
import type { LayerSelection } from './layer-selection.ts';
import { NEIGHBOUR_LAYER, type ShorelineHeader } from './shoreline.ts';

/** What counts as coast: the shore of any of these layers, and of neighbouring countries only where asked. */
export interface CoastDefinition {
  readonly layers: readonly string[];
  readonly neighbours?: boolean;
}

/** A layer's name alone is the definition of that one layer. */
export type CoastDefinitionInput = string | CoastDefinition;

/** Bays, sounds and estuaries count: the usual meaning. */
const USUAL_LAYER = 'tidal';

/** The definition taken where none is given: `tidal`, or the first layer of data that has no such layer. */
export function usualDefinition(header: ShorelineHeader): CoastDefinition {
  return { layers: [header.layerNames.includes(USUAL_LAYER) ? USUAL_LAYER : header.layerNames[0]!] };
}

/** Throws `unknown_layer` for what is neither a name nor a list of them. */
export function toCoastDefinition(given: CoastDefinitionInput): CoastDefinition {
  if (typeof given === 'string') return { layers: [given] };
  if (typeof given === 'object' && given !== null && Array.isArray(given.layers)) return given;
  throw new CoastError(
    'unknown_layer',
    `${JSON.stringify(given)} is no definition of coast: give a layer's name, or { layers: [...] }`,
  );
}

/** A short name of a definition: its layers joined by `+`. */
export function definitionName(definition: CoastDefinition): string {
  const layers = definition.neighbours === true ? [...definition.layers, NEIGHBOUR_LAYER] : definition.layers;
  return layers.join('+');
}

/** What tells definitions apart. */
export function definitionKey(definition: CoastDefinition): string {
  if (definition.layers.length === 1 && definition.neighbours !== true) return definition.layers[0]!;
  return JSON.stringify([definition.layers, definition.neighbours === true]);
}

/** The layers of a definition as masks, or undefined if the data has none of them. */
export function selectLayers(header: ShorelineHeader, definition: CoastDefinition): LayerSelection | undefined {
  let any = 0;
  for (const layer of definition.layers) {
    const index = header.layerNames.indexOf(layer);
    if (index >= 0) any |= 1 << index;
  }
  if (any === 0) return undefined;
  const neighbour = header.layerNames.indexOf(NEIGHBOUR_LAYER);
  const excluded = neighbour >= 0 && definition.neighbours !== true && (any & (1 << neighbour)) === 0;
  return { any, none: excluded ? 1 << neighbour : 0 };
}

/** Throws `unknown_layer` unless each layer of a definition is in one of the datasets. */
export function checkDefinition(headers: readonly ShorelineHeader[], definition: CoastDefinition): void {
  const known = [...new Set(headers.flatMap((header) => header.layerNames))];
  if (definition.layers.length === 0) {
    throw new CoastError('unknown_layer', `a definition of coast needs a layer: one or more of ${known.join(', ')}`);
  }
  for (const layer of definition.layers) {
    if (known.includes(layer)) continue;
    throw new CoastError(
      'unknown_layer',
      `no layer ${JSON.stringify(layer)} in ${headers.map((header) => header.name).join(', ')}: use ${known.join(', ')}`,
    );
  }
}

/** The names of a mask's layers. */
export function layerNamesOf(header: ShorelineHeader, layers: number): string[] {
  return header.layerNames.filter((_, index) => (layers & (1 << index)) !== 0);
}
