import type { ZipGazetteer } from '../zips/zip-gazetteer.ts';

/** What the splitter asks of a gazetteer: without one, only commas tell a city from its street. */
export type CityLookup = Pick<ZipGazetteer, 'find' | 'findCity' | 'statesWithCity'>;
