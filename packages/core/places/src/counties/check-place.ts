import { type Checked, didYouMean, quoteValue } from '@leeward/terms';
import type { County } from './county.ts';
import { findCounties, statesWithCounty } from './find-counties.ts';
import { findState } from './find-state.ts';
import { type State, stateCodes, states } from './states.ts';
import { suggestCounty } from './suggest-county.ts';

const stateNames = states.map((state) => state.name);

/** A state as every door reads it. */
export function checkState(value: unknown): Checked<State> {
  const state = typeof value === 'string' ? findState(value) : undefined;
  if (state !== undefined) return { value: state };
  const message = `${quoteValue(value)} is no state; give a state name or its abbreviation.`;
  if (typeof value !== 'string') return { code: 'invalid_type', message };
  const hint = didYouMean(value, value.trim().length <= 2 ? stateCodes : stateNames);
  return { code: 'unknown_state', message: message + hint };
}

/** The counties that a text can mean in a state, as every door reads them: one, or two that share the name. */
export function checkCounty(state: State, text: string): Checked<readonly County[]> {
  const found = findCounties(state.code, text);
  if (found.length > 0) return { value: found };
  const message = `${quoteValue(text)} is not a county of ${state.name}.${countyHint(state.code, text)}`;
  return { code: 'county_not_in_state', message };
}

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
