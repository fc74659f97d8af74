export { createGazetteerGeocoder } from '../geocoders/gazetteer-geocoder.ts';
export { type CountyComparison, compareCounty } from './compare-county.ts';
export { compareZip, type ZipComparison } from './compare-zip.ts';
export { type CountyCheck, countyCheckOf } from './county-check.ts';
export { countyOfZip } from './county-of-zip.ts';
export { loadZipGazetteer } from './load-zip-gazetteer.ts';
export { zipAttribution } from './zip-attribution.ts';
export type { NearbyZip, ZipGazetteer, ZipPoint } from './zip-gazetteer.ts';
