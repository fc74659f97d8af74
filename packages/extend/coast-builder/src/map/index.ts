export { createMapTiles, type MapSource, type MapTile, type MapTileOptions, type MapTiles } from './map-tiles.ts';
export { type ArchiveOptions, packPmtiles } from './pmtiles-archive.ts';
export { shorelineOfIndex } from './shoreline-of-index.ts';
