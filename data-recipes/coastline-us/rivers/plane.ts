/** Metres on a sphere between places less than some hundred kilometres apart, good to half a percent. */
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

/** Mercator's ordinate in degrees: in his plane, which keeps angles, triangles are those of the surface. */
export function mercatorDegrees(latitude: number): number {
  return (Math.log(Math.tan(Math.PI / 4 + (latitude * Math.PI) / 360)) * 180) / Math.PI;
}
