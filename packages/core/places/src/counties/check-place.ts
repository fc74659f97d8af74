import { type Checked, didYouMean, quoteValue } from '@leeward/terms';
import type { County } from './county.ts';
import { findCounties, statesWithCounty } from './find-counties.ts';
import { findState } from './find-state.ts';
import { type State, stateCodes, states } from './states.ts';
import { suggestCounty } from './suggest-county.ts';

const stateNames = states.map((state) => state.name);

/**
 * Reads a state from user input.
 * @example
 * checkState('N. Carolina'); // { value: { code: 'nc', … } }
 */
export function checkState(value: unknown): Checked<State> {
  const state = typeof value === 'string' ? findState(value) : undefined;
  if (state !== undefined) return { value: state };
  const message = `${quoteValue(value)} is not a state; give a state name or its abbreviation.`;
  if (typeof value !== 'string') return { code: 'invalid_type', message };
  const hint = didYouMean(value, value.trim().length <= 2 ? stateCodes : stateNames);
  return { code: 'unknown_state', message: message + hint };
}

/**
 * Reads a county from user input: one county, or two that share the name.
 * @example
 * checkCounty(findState('fl')!, 'Dade'); // { value: [{ label: 'Miami-Dade County', … }] }
 */
export function checkCounty(state: State, text: string): Checked<readonly County[]> {
  const counties = findCounties(state.code, text);
  if (counties.length > 0) return { value: counties };
  const message = `${quoteValue(text)} is not a county of ${state.name}.${countyHint(state.code, text)}`;
  return { code: 'county_not_in_state', message };
}

/**
 * Returns a hint, with a leading space: states with a county of exactly that name, else the nearest spelling in this state; empty if
 * nothing is similar.
 * @example
 * countyHint('tx', 'Broward'); // ' There is one in: fl.'
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
