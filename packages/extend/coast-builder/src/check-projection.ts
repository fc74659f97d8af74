import { CoastError } from '@leeward/coast';

/** Equatorial radius of WGS84 and of GRS80 (NAD83). Other ellipsoids belong to datums that are hundreds of meters off. */
const EQUATOR_METERS = 6_378_137;
const REMEDY = 'convert it, for example with ogr2ogr -t_srs EPSG:4326';

/** Throws `invalid_shoreline` unless the `.prj` (well-known text) of a shapefile describes degrees on WGS84 or NAD83. */
export function checkProjection(projection: Uint8Array, name: string): void {
  const text = new TextDecoder().decode(projection).trim();
  const refuse = (what: string): CoastError =>
    new CoastError('invalid_shoreline', `${name}: ${what}; expected degrees on WGS84 or NAD83: ${REMEDY}`);
  if (text === '') return;
  const [, kind = '', system = ''] = /^([A-Z_]+)\s*\[\s*"([^"]*)"/i.exec(text) ?? [];
  if (/^(?:PROJ|LOCAL|ENG|GEOC)/i.test(kind)) throw refuse(`its .prj is projected (${system})`);
  if (!/^GEO/i.test(kind)) throw refuse(`its .prj is not understood (${JSON.stringify(text.slice(0, 60))})`);
  const [, ellipsoid = '', radius] = /(?:SPHEROID|ELLIPSOID)\s*\[\s*"([^"]*)"\s*,\s*([\d.]+)/i.exec(text) ?? [];
  if (Number(radius) !== EQUATOR_METERS) {
    throw refuse(`its .prj has another datum (${system}${ellipsoid && `, ${ellipsoid}`})`);
  }
  const meridian = /PRIMEM\s*\[\s*"([^"]*)"\s*,\s*(-?[\d.]+)/i.exec(text);
  if (meridian !== null && Number(meridian[2]) !== 0) throw refuse(`its .prj counts longitudes from ${meridian[1]}`);
  const unit = /(?:ANGLEUNIT|UNIT)\s*\[\s*"([^"]*)"\s*,\s*([\d.eE-]+)/i.exec(text);
  if (unit !== null && Math.abs(Number(unit[2]) - Math.PI / 180) > 1e-9)
    throw refuse(`its .prj has the unit ${unit[1]}`);
}

/** Codes of degrees on WGS84 and NAD83. */
const SYSTEMS = /(?:^|[:/])(?:CRS84|CRS83|4326|4269|4979|6318)$/i;

/** Throws `invalid_shoreline` for the `crs` of older GeoJSON, unless it is WGS84 or NAD83. */
export function checkCrs(crs: unknown, name: string): void {
  if (crs === undefined || crs === null) return;
  const system: unknown = (crs as { properties?: { name?: unknown } }).properties?.name;
  if (typeof system === 'string' && SYSTEMS.test(system)) return;
  throw new CoastError(
    'invalid_shoreline',
    `${name}: its crs is ${JSON.stringify(system ?? crs)?.slice(0, 80)}; expected degrees on WGS84 or NAD83: ${REMEDY}`,
  );
}
