export { type CityReading, cityReading } from '../zips/city-reading.ts';
export { placeKey } from '../zips/place-key.ts';
export { readHouseNumber } from './house-number.ts';
export { readZip } from './read-zip.ts';
export { readStreetLine, type StreetLine } from './street-line.ts';
