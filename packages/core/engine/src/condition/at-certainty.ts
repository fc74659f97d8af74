import { between } from '../request/knowledge.ts';
import { completeValues, type Property } from '../request/property.ts';
import { layoutOf } from '../vocabulary/layout.ts';
import { shareMoment } from './computed.ts';

const copies = new WeakMap<Property, Map<number, Property>>();

/**
 * The property as a rule set with a certainty reads it: measured fields have their ranges at that certainty. Exact values stay.
 * Returns the property itself without a certainty, and without ranges for it.
 */
export function atCertainty(property: Property, certainty: number | undefined): Property {
  const ranges = certainty === undefined ? undefined : property.rangesByCertainty?.[String(certainty)];
  if (certainty === undefined || !ranges) return property;
  let byCertainty = copies.get(property);
  if (!byCertainty) {
    byCertainty = new Map();
    copies.set(property, byCertainty);
  }
  let copy = byCertainty.get(certainty);
  if (!copy) {
    const { positions } = layoutOf(property.vocabulary);
    const givenValues = [...(property.givenValues ?? property.values)];
    for (const [name, { min, max }] of Object.entries(ranges)) {
      const position = positions.get(name)!;
      if (typeof givenValues[position] !== 'number') givenValues[position] = between(min, max);
    }
    copy = { ...property, givenValues, values: completeValues(givenValues, property), rangesByCertainty: undefined };
    if (property.events) shareMoment(copy, property);
    byCertainty.set(certainty, copy);
  }
  return copy;
}
