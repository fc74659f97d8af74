import type { ZipGazetteer } from '../zips/zip-gazetteer.ts';

/** Without it, only commas separate a city from its street. */
export type CityLookup = Pick<ZipGazetteer, 'find' | 'findCity' | 'findPlaces' | 'placesNamed' | 'suggestPlaces'>;
