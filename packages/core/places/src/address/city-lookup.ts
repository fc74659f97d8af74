import type { ZipGazetteer } from '../zips/zip-gazetteer.ts';

/** Cities and ZIP codes for `splitAddress`. Without it, only commas separate a city from its street. */
export type CityLookup = Pick<ZipGazetteer, 'find' | 'findCity' | 'statesWithCity'>;
