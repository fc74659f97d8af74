export { combinationRule, LAKES_RULE, OCEAN_RULE, TIDAL_RULE } from './combination-rules.ts';
export { type CoastlineUsBytes, createCoastlineUs } from './create-coastline-us.ts';
export { type CoastlineUsSource, coastlineUsFiles, type TidalWaterSource, tidalWaterFiles } from './data-files.ts';
export { type LoadCoastlineUsOptions, loadCoastlineUs } from './load-coastline-us.ts';
export type { TidalWaterBytes } from './tidal-waters.ts';
export { loadTideStations, type TideStation } from './tide-stations.ts';
