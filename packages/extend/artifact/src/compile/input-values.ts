import type { Property } from '@leeward/engine';
import {
  atCertainty,
  factsOfProperty,
  isWithin,
  readComputed,
  sidesOf,
  sourceOfProperty,
  truthOfLeaf,
} from '@leeward/engine/compiled';
import type { TableInput } from '../tables/table-inputs.ts';

/** The range of an input that rules compute, for one property; undefined if it is unknown. */
export function computedRange(
  { source }: TableInput,
  home: Property,
  policyType: string,
): readonly [min: number, max: number] | undefined {
  if (source.kind === 'as_of' || source.kind === 'host') return undefined;
  const property = atCertainty(home, source.certainty);
  if (source.kind === 'computed') {
    const { min, max } = readComputed(source.computed, sourceOfProperty(property));
    return [min, max];
  }
  if (source.kind === 'test') {
    const county = property.counties?.length === 1 ? property.counties[0] : undefined;
    const facts = factsOfProperty(property, policyType, county);
    if (sidesOf(source.leaf, facts).includes(undefined)) return undefined;
    const truth = truthOfLeaf(source.leaf, facts);
    return truth === 'undecided' ? undefined : truth === 'true' ? [1, 1] : [0, 0];
  }
  if (source.certainty === undefined) return undefined;
  const value = property.values[source.field];
  if (typeof value === 'number') return [value, value];
  return isWithin(value) && value.kind === 'between' ? [value.min, value.max] : undefined;
}
