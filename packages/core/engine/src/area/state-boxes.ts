import { wrapDegrees } from '../request/property-location.ts';
import type { Position } from './area.ts';

/** West, south, east and north of each state in degrees, with some waters around it. */
const boxes: Readonly<Record<string, readonly [west: number, south: number, east: number, north: number]>> = {
  al: [-88.7, 29.9, -84.7, 35.3],
  ak: [-188, 51, -129.5, 71.8],
  az: [-115, 31, -108.7, 37.2],
  ar: [-94.9, 32.8, -89.5, 36.8],
  ca: [-124.6, 32.3, -113.9, 42.3],
  co: [-109.3, 36.7, -101.9, 41.3],
  ct: [-74, 40.7, -71.5, 42.3],
  de: [-76, 38.2, -74.8, 40.1],
  dc: [-77.4, 38.5, -76.6, 39.3],
  fl: [-87.8, 24.2, -79.7, 31.3],
  ga: [-85.8, 30.2, -80.6, 35.3],
  hi: [-160.6, 18.5, -154.5, 22.5],
  id: [-117.3, 41.7, -110.8, 49.3],
  il: [-91.7, 36.7, -87.2, 42.8],
  in: [-88.2, 37.6, -84.5, 42],
  ia: [-96.8, 40.1, -89.9, 43.8],
  ks: [-102.3, 36.7, -94.3, 40.3],
  ky: [-89.5, 36.2, -81.7, 39.4],
  la: [-94.3, 28.7, -88.7, 33.3],
  me: [-71.3, 42.7, -66.7, 47.8],
  md: [-79.7, 37.7, -74.8, 40],
  ma: [-73.8, 41, -69.6, 43.2],
  mi: [-90.7, 41.4, -82.1, 48.5],
  mn: [-97.5, 43.2, -89.3, 49.6],
  ms: [-91.7, 29.9, -87.9, 35.3],
  mo: [-95.9, 35.7, -88.9, 40.9],
  mt: [-116.3, 44.2, -103.8, 49.3],
  ne: [-104.3, 39.7, -95.1, 43.3],
  nv: [-120.3, 34.8, -113.8, 42.3],
  nh: [-72.8, 42.4, -70.4, 45.5],
  nj: [-75.8, 38.6, -73.6, 41.6],
  nm: [-109.3, 31.1, -102.8, 37.3],
  ny: [-80, 40.2, -71.6, 45.3],
  nc: [-84.5, 33.6, -75.2, 36.8],
  nd: [-104.3, 45.7, -96.3, 49.3],
  oh: [-85.1, 38.2, -80.2, 42.4],
  ok: [-103.3, 33.4, -94.2, 37.3],
  or: [-124.8, 41.6, -116.2, 46.5],
  pa: [-80.8, 39.4, -74.4, 42.5],
  ri: [-72.1, 40.9, -70.9, 42.3],
  sc: [-83.6, 31.8, -78.4, 35.4],
  sd: [-104.3, 42.2, -96.2, 46.2],
  tn: [-90.5, 34.7, -81.4, 36.9],
  tx: [-106.9, 25.6, -93.3, 36.8],
  ut: [-114.3, 36.7, -108.8, 42.3],
  vt: [-73.7, 42.5, -71.2, 45.3],
  va: [-83.9, 36.3, -75, 39.7],
  wa: [-124.9, 45.3, -116.7, 49.3],
  wv: [-82.9, 36.9, -77.5, 40.9],
  wi: [-93.1, 42.2, -86.5, 47.3],
  wy: [-111.4, 40.7, -103.8, 45.3],
  as: [-171.9, -15.2, -168, -10.8],
  gu: [144.3, 13, 145.3, 13.9],
  mp: [144.5, 13.8, 146.3, 20.8],
  pr: [-68.2, 17.6, -65, 18.8],
  vi: [-65.3, 17.4, -64.3, 18.7],
};

/**
 * True if the bounding box of some positions is near a state.
 *
 * @param marginDegrees distance in longitude and latitude that counts as near
 */
export function isNearState(positions: readonly Position[], state: string, marginDegrees: number): boolean {
  const box = boxes[state];
  if (!box) return true;
  const [west, south, east, north] = box;
  const middle = (west + east) / 2;
  let [nearWest, nearEast, nearSouth, nearNorth] = [false, false, false, false];
  for (const [longitude, latitude] of positions) {
    const x = middle + wrapDegrees(longitude - middle);
    nearWest ||= x >= west - marginDegrees;
    nearEast ||= x <= east + marginDegrees;
    nearSouth ||= latitude >= south - marginDegrees;
    nearNorth ||= latitude <= north + marginDegrees;
  }
  return nearWest && nearEast && nearSouth && nearNorth;
}
