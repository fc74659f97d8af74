export { placeKey } from '../names/place-key.ts';
export { type CityReading, cityReading } from '../zips/city-reading.ts';
export { readHouseNumber } from './house-number.ts';
export { readZip } from './read-zip.ts';
export { readStreetLine, type StreetLine } from './street-line.ts';
