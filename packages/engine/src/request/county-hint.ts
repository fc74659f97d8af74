import { statesWithCounty, suggestCounty } from '@leeward/places/counties';

/**
 * Where a name is no county of a state: the states that have one of exactly that name, else the nearest
 * spelling here. Starts with a blank, to be appended to a sentence; empty where nothing comes near.
 */
export function countyHint(state: string, name: string): string {
  const elsewhere = statesWithCounty(name).map((other) => other.code);
  if (elsewhere.length > 0) {
    const more = elsewhere.length > 8 ? ' …' : '';
    return ` There is one in: ${elsewhere.slice(0, 8).join(', ')}${more}.`;
  }
  const nearest = suggestCounty(state, name);
  return nearest ? ` Did you mean "${nearest.name}"?` : '';
}
