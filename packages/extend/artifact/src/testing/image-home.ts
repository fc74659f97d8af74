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
import { type ImageHome, type KnownInput, NO_COLUMN } from './read-image.ts';

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

function knownInput(home: Property, { source, words }: TableInput): KnownInput | typeof NO_COLUMN {
  if (source.kind === 'host') return NO_COLUMN;
  if (source.kind === 'as_of') return { min: home.asOfMs, max: home.asOfMs };
  if (source.certainty !== undefined && !home.rangesByCertainty) return NO_COLUMN;
  const property = atCertainty(home, source.certainty);
  if (source.kind === 'computed') return readComputed(source.computed, sourceOfProperty(property));
  if (source.kind === 'test') {
    const county = property.counties?.length === 1 ? property.counties[0] : undefined;
    const truth = truthOfLeaf(source.leaf, factsOfProperty(property, property.policyType!, county));
    return truth === 'undecided' ? undefined : { min: Number(truth === 'true'), max: Number(truth === 'true') };
  }
  const { givenValues, values, vocabulary } = property;
  // A list bounds the field that counts its items.
  const isCounted = vocabulary.lists?.some(
    ({ countedBy }) => countedBy?.field === vocabulary.fields[source.field]!.name,
  );
  const value = (isCounted ? values : (givenValues ?? values))[source.field];
  if (value === undefined) return undefined;
  if (typeof value === 'number') return { min: value, max: value };
  if (typeof value === 'string') return { code: words!.indexOf(value) + 1 };
  if (isWithin(value) && value.kind === 'between') return value;
  throw new Error('An image has no inputs of several words.');
}
