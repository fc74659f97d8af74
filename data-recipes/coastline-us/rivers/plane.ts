/** On a sphere, for places within some hundred kilometers; exact to half a percent. */
export function metersBetween(
  longitude: number,
  latitude: number,
  otherLongitude: number,
  otherLatitude: number,
): number {
  const cosine = Math.cos(((latitude + otherLatitude) / 2) * (Math.PI / 180));
  return METERS_PER_DEGREE * Math.hypot((otherLongitude - longitude) * cosine, otherLatitude - latitude);
}

export const METERS_PER_DEGREE = 111_195;

/** In Mercator's plane, which keeps angles, triangles are those of the surface. */
export function mercatorDegrees(latitude: number): number {
  return (Math.log(Math.tan(Math.PI / 4 + (latitude * Math.PI) / 360)) * 180) / Math.PI;
}
