import { countiesOf, type State } from '@leeward/places/counties';
import type { ZipGazetteer, ZipPoint } from '@leeward/places/zips';

export interface RemoteFile {
  readonly url: string;
  readonly name: string;
  /** True if the server may lack it: a tile without shore. */
  readonly isOptional?: boolean;
}

export interface SourceQuery {
  readonly states: readonly State[];
  readonly year: number;
  /** Five-digit FIPS codes. @default those near the coast */
  readonly counties: readonly string[] | undefined;
  readonly gazetteer: ZipGazetteer;
  /** True if a place is near a shore. */
  readonly isCoastal: (place: { readonly latitude: number; readonly longitude: number }) => boolean;
  /** A mirror of the office's server. */
  readonly base: string;
}

/** An office's shorelines, with terms and addresses. */
export interface CoastlineSource {
  readonly title: string;
  readonly licence: string;
  /** Name and attribution for `coast build`. */
  readonly attribution: string;
  readonly base: string;
  files(query: SourceQuery): RemoteFile[];
}

const FEDERAL = 'a work of the United States government, in the public domain (17 U.S.C. 105)';

/** Addresses from the offices' download pages. */
export const coastlineSources = {
  'tiger-coastline': {
    title: 'Census TIGER/Line COASTLINE (MTFCC L4150)',
    licence: `${FEDERAL}; name the Census Bureau as the source`,
    attribution: 'U.S. Census Bureau, TIGER/Line',
    base: 'https://www2.census.gov/geo/tiger',
    files: ({ year, base }) => [remote(base, `TIGER${year}/COASTLINE`, `tl_${year}_us_coastline.zip`)],
  },
  'tiger-areawater': {
    title: 'Census TIGER/Line AREAWATER, by county',
    licence: `${FEDERAL}; name the Census Bureau as the source`,
    attribution: 'U.S. Census Bureau, TIGER/Line',
    base: 'https://www2.census.gov/geo/tiger',
    files: (query) =>
      countiesFor(query).map((fips) =>
        remote(query.base, `TIGER${query.year}/AREAWATER`, `tl_${query.year}_${fips}_areawater.zip`),
      ),
  },
  cusp: {
    title: 'NOAA Continually Updated Shoreline Product, in tiles of five degrees',
    licence: `${FEDERAL}; NOAA: not for legal boundaries`,
    attribution: 'NOAA National Geodetic Survey, CUSP',
    base: 'https://nsde.ngs.noaa.gov/downloads',
    files: (query) => tilesOf(query).map((tile) => ({ ...remote(query.base, '', `${tile}.zip`), isOptional: true })),
  },
  nhd: {
    title: 'USGS National Hydrography Dataset, by state',
    licence: `${FEDERAL}; name the USGS as the source`,
    attribution: 'U.S. Geological Survey, National Hydrography Dataset',
    base: 'https://prd-tnm.s3.amazonaws.com/StagedProducts/Hydrography/NHD',
    files: ({ states, base }) =>
      states.map(({ name }) => remote(base, 'State/Shape', `NHD_H_${name.replaceAll(' ', '_')}_State_Shape.zip`)),
  },
} as const satisfies Record<string, CoastlineSource>;

export type CoastlineSourceName = keyof typeof coastlineSources;

function remote(base: string, folder: string, name: string): RemoteFile {
  return { url: [base, folder, name].filter((part) => part !== '').join('/'), name };
}

/** The requested counties, or those with a ZIP code near the shore or without ZIP codes. */
function countiesFor({ states, counties, gazetteer, isCoastal }: SourceQuery): string[] {
  if (counties !== undefined) return [...counties];
  const coastal = new Set<string>();
  for (const { countyFips, latitude, longitude } of zipsOf(states, gazetteer)) {
    if (countyFips === undefined || coastal.has(countyFips)) continue;
    if (isCoastal({ latitude, longitude })) coastal.add(countyFips);
  }
  return states.flatMap(({ code }) =>
    countiesOf(code)
      .map(({ fips }) => fips)
      .filter((fips) => coastal.has(fips) || !gazetteer.hasCounty([fips])),
  );
}

const TILE_DEGREES = 5;

/** Tiles with a ZIP code near the shore, and their neighbours: sources name a tile by an unknown corner. */
function tilesOf({ states, gazetteer, isCoastal }: SourceQuery): string[] {
  const tiles = new Set<string>();
  for (const { latitude, longitude } of zipsOf(states, gazetteer)) {
    if (!isCoastal({ latitude, longitude })) continue;
    const south = TILE_DEGREES * Math.floor(latitude / TILE_DEGREES);
    const west = TILE_DEGREES * Math.floor(longitude / TILE_DEGREES);
    for (const [up, across] of [
      [0, 0],
      [0, TILE_DEGREES],
      [TILE_DEGREES, 0],
      [TILE_DEGREES, TILE_DEGREES],
    ] as const) {
      tiles.add(tileName(south + up, west + across));
    }
  }
  return [...tiles].sort();
}

function tileName(latitude: number, longitude: number): string {
  const north = `${latitude < 0 ? 'S' : 'N'}${String(Math.abs(latitude)).padStart(2, '0')}`;
  return `${north}${longitude < 0 ? 'W' : 'E'}${String(Math.abs(longitude)).padStart(3, '0')}`;
}

function zipsOf(states: readonly State[], gazetteer: ZipGazetteer): ZipPoint[] {
  const codes = new Set(states.map(({ code }) => code));
  const every = gazetteer.nearest({ latitude: 0, longitude: 0 }, gazetteer.size).map(({ zipPoint }) => zipPoint);
  return every.filter(({ state }) => codes.has(state));
}
