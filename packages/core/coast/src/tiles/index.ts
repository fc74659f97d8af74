export { buildTiles, buildTilesInThreads, type TilePlan } from './build-tiles.ts';
