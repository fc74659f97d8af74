import { CoastError } from '../coast-error.ts';
import type { LayerSelection } from './layer-selection.ts';
import { NEIGHBOUR_LAYER, type ShorelineHeader } from './shoreline.ts';

/** The layers that count as coast. */
export interface CoastDefinition {
  readonly layers: readonly string[];
  /** Includes shores of neighbouring countries. @default false */
  readonly neighbours?: boolean;
}

/** A definition, or its only layer. */
export type CoastDefinitionInput = string | CoastDefinition;

const USUAL_LAYER = 'tidal';

/** `tidal`, or the first layer of data without it. */
export function usualDefinition(header: ShorelineHeader): CoastDefinition {
  return { layers: [header.layerNames.includes(USUAL_LAYER) ? USUAL_LAYER : header.layerNames[0]!] };
}

/** Throws `unknown_layer`. */
export function toCoastDefinition(input: CoastDefinitionInput): CoastDefinition {
  if (typeof input === 'string') return { layers: [input] };
  if (typeof input === 'object' && input !== null && Array.isArray(input.layers)) return input;
  throw new CoastError(
    'unknown_layer',
    `${String(JSON.stringify(input)).slice(0, 80)} is not a definition of coast: give a layer's name, or { layers: [...] }`,
  );
}

export function definitionName(definition: CoastDefinition): string {
  const layers = definition.neighbours === true ? [...definition.layers, NEIGHBOUR_LAYER] : definition.layers;
  return layers.join('+');
}

export function definitionKey(definition: CoastDefinition): string {
  if (definition.layers.length === 1 && definition.neighbours !== true) return definition.layers[0]!;
  return JSON.stringify([definition.layers, definition.neighbours === true]);
}

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

/** Throws `unknown_layer` if a layer is in none of the datasets. */
export function checkDefinition(headers: readonly ShorelineHeader[], definition: CoastDefinition): void {
  const available = [...new Set(headers.flatMap((header) => header.layerNames))];
  if (definition.layers.length === 0) {
    throw new CoastError(
      'unknown_layer',
      `a definition of coast needs a layer: one or more of ${available.join(', ')}`,
    );
  }
  for (const layer of definition.layers) {
    if (available.includes(layer)) continue;
    throw new CoastError(
      'unknown_layer',
      `no layer ${JSON.stringify(layer)} in ${headers.map((header) => header.name).join(', ')}: use ${available.join(', ')}`,
    );
  }
}

export function layerNamesOf(header: ShorelineHeader, layers: number): string[] {
  return header.layerNames.filter((_, index) => (layers & (1 << index)) !== 0);
}
