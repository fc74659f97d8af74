export { buildTiles, buildTilesInThreads, type TilePlan } from './build-tiles.ts';
export type { CleanOptions, Dropped } from './clean-lines.ts';
export { describeIndex, formatIndexDescription, type IndexDescription } from './describe-index.ts';
export { formatCoastAnswer } from './format-answer.ts';
export { openCoastData } from './open-coast-data.ts';
export { type ReadShorelineOptions, readShoreline, type ShorelineFile } from './read-shoreline.ts';
export { formatShorelineReport, type ShorelineReport } from './shoreline-report.ts';
