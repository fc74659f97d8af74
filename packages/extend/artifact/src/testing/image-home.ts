import type { Property } from '@leeward/engine';
import {
  atCertainty,
  factsOfProperty,
  isWithin,
  readComputed,
  sourceOfProperty,
  truthOfLeaf,
} from '@leeward/engine/compiled';
import { stateCodes } from '@leeward/places/counties';
import type { TableInput } from '../tables/table-inputs.ts';
import type { ImageHome, KnownInput } from './read-image.ts';

/** A home as a table image reads it. */
export function imageHome(property: Property, inputs: readonly TableInput[]): ImageHome {
  return {
    policyType: property.vocabulary.policyTypes.indexOf(property.policyType!),
    state: stateCodes.indexOf(property.state),
    effectiveDay: Date.parse(property.effectiveDate) / 86_400_000,
    counties: property.counties?.map(Number),
    inputs: inputs.map((input) => knownInput(property, input)),
  };
}

function knownInput(home: Property, { source, words }: TableInput): KnownInput {
  if (source.kind === 'host') return undefined;
  if (source.kind === 'as_of') return { min: home.asOfMs, max: home.asOfMs };
  const property = atCertainty(home, source.certainty);
  if (source.kind === 'computed') return readComputed(source.computed, sourceOfProperty(property));
  if (source.kind === 'test') {
    const county = property.counties?.length === 1 ? property.counties[0] : undefined;
    const truth = truthOfLeaf(source.leaf, factsOfProperty(property, property.policyType!, county));
    return truth === 'undecided' ? undefined : { min: Number(truth === 'true'), max: Number(truth === 'true') };
  }
  const value = (property.givenValues ?? property.values)[source.field];
  if (value === undefined) return undefined;
  if (typeof value === 'number') return { min: value, max: value };
  if (typeof value === 'string') return { code: words!.indexOf(value) + 1 };
  if (isWithin(value) && value.kind === 'between') return value;
  throw new Error('An image has no inputs of several words.');
}
