/** Places in radii of the earth, y downward. */
export type Projection = (longitude: number, latitude: number) => readonly [x: number, y: number];

const RADIANS = Math.PI / 180;

/** Distances from the middle are true. */
export const azimuthalEquidistant = (longitude: number, latitude: number): Projection =>
  azimuthal(longitude, latitude, (cosine, sine) => (sine === 0 ? 1 : Math.atan2(sine, cosine) / sine));

/** Areas are true. */
export const azimuthalEqualArea = (longitude: number, latitude: number): Projection =>
  azimuthal(longitude, latitude, (cosine) => Math.sqrt(2 / (1 + cosine)));

/** @param scale By the cosine and sine of the angle from the middle. */
function azimuthal(longitude: number, latitude: number, scale: (cosine: number, sine: number) => number): Projection {
  const [sin0, cos0] = [Math.sin(latitude * RADIANS), Math.cos(latitude * RADIANS)];
  return (toLongitude, toLatitude) => {
    const east = (toLongitude - longitude) * RADIANS;
    const [sin, cos] = [Math.sin(toLatitude * RADIANS), Math.cos(toLatitude * RADIANS)];
    const x = cos * Math.sin(east);
    const y = sin0 * cos * Math.cos(east) - cos0 * sin;
    const factor = scale(sin0 * sin + cos0 * cos * Math.cos(east), Math.hypot(x, y));
    return [factor * x, factor * y];
  };
}

interface Cone {
  /** Standard parallels. */
  readonly parallels: readonly [south: number, north: number];
  /** The middle, and where it is drawn. */
  readonly middle: readonly [longitude: number, latitude: number];
  readonly at: readonly [x: number, y: number];
  readonly scale: number;
}

/** Albers's conic projection: areas are true. */
function conicEqualArea({ parallels, middle, at, scale }: Cone): Projection {
  const [south, north] = parallels.map((latitude) => Math.sin(latitude * RADIANS)) as [number, number];
  const cone = (south + north) / 2;
  const constant = 1 + south * north;
  const radius = (latitude: number) => Math.sqrt(constant - 2 * cone * Math.sin(latitude * RADIANS)) / cone;
  const middleRadius = radius(middle[1]);
  return (longitude, latitude) => {
    // Alaska crosses 180°.
    const east = longitude - middle[0];
    const angle = cone * (east > 180 ? east - 360 : east < -180 ? east + 360 : east) * RADIANS;
    const distance = radius(latitude);
    return [at[0] + scale * distance * Math.sin(angle), at[1] + scale * (distance * Math.cos(angle) - middleRadius)];
  };
}

const lower48 = conicEqualArea({ parallels: [29.5, 45.5], middle: [-96, 38.7], at: [0, 0], scale: 1 });
/** Insets below the lower 48, by FIPS code. */
const insets: Readonly<Record<string, Projection>> = {
  '02': conicEqualArea({ parallels: [55, 65], middle: [-156, 58.5], at: [-0.3, 0.2], scale: 0.35 }),
  '15': conicEqualArea({ parallels: [8, 18], middle: [-160, 19.9], at: [-0.2, 0.21], scale: 1 }),
};

/** The projection of a state on a map of all states; undefined for the territories. */
export function projectionOfState(stateFips: string): Projection | undefined {
  return Number(stateFips) > 56 ? undefined : (insets[stateFips] ?? lower48);
}
