export { checkCounty, checkState, countyHint } from './check-place.ts';
export type { County } from './county.ts';
export { countiesOf, countyByFips, findCounties, statesWithCounty } from './find-counties.ts';
export { findState } from './find-state.ts';
export { type State, stateCodes, states } from './states.ts';
export { suggestCounty } from './suggest-county.ts';
