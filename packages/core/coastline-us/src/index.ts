export { type CoastlineUsBytes, combineCoastlineUs, createCoastlineUs } from './create-coastline-us.ts';
export {
  type CoastlineUsSource,
  coastlineUsFiles,
  conflationFile,
  type TidalWaterSource,
  tidalWaterFiles,
} from './data-files.ts';
export { type LoadCoastlineUsOptions, loadCoastlineUs } from './load-coastline-us.ts';
export type { TidalWaterBytes } from './tidal-waters.ts';
export { loadTideStations, type TideStation } from './tide-stations.ts';
