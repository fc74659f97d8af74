export type { CombinationRule, CoverageBox, Shoreline, ShorelineAccuracy } from './shoreline.ts';
export { NEIGHBOUR_LAYER } from './shoreline.ts';
