export { checkCounty, checkState, countyHint } from './check-place.ts';
export type { County } from './county.ts';
export { type CountySuffix, countySpellings, countySuffixes } from './county-spellings.ts';
export { countiesOf, countyByFips, findCounties, matchCounty, statesWithCounty } from './find-counties.ts';
export { findState, placeKey, stateKeys } from './find-state.ts';
export { type State, stateCodes, statePattern, states } from './states.ts';
export { suggestCounty } from './suggest-county.ts';
