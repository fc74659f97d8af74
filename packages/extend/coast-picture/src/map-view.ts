import type { GeographicPoint } from '@leeward/coast';

/** A place on the picture, in pixels from its upper left. */
export interface Pixel {
  readonly x: number;
  readonly y: number;
}

/** The shown part of the earth, north up, in Mercator's projection: angles and bearings are true. */
export interface MapView {
  readonly width: number;
  readonly height: number;
  /** Metres of ground a pixel at the middle. */
  readonly metersPerPixel: number;
  toPixel(point: GeographicPoint): Pixel;
  toPoint(pixel: Pixel): GeographicPoint;
}

const EARTH_METERS = 6_371_009;
const RADIANS = Math.PI / 180;

export interface ViewOptions {
  readonly width: number;
  readonly height: number;
  readonly middle: GeographicPoint;
  /** Radius in meters that the shorter half of the picture must contain. */
  readonly reachMeters: number;
}

export function createMapView({ width, height, middle, reachMeters }: ViewOptions): MapView {
  const metersPerPixel = (2 * reachMeters) / Math.min(width, height);
  // On Mercator's plane lengths are stretched by the secant of the latitude.
  const unitsPerPixel = metersPerPixel / Math.cos(middle.latitude * RADIANS);
  const north = mercator(middle.latitude);
  return {
    width,
    height,
    metersPerPixel,
    toPixel({ latitude, longitude }) {
      const east = wrapped(longitude - middle.longitude) * RADIANS * EARTH_METERS;
      return { x: width / 2 + east / unitsPerPixel, y: height / 2 - (mercator(latitude) - north) / unitsPerPixel };
    },
    toPoint({ x, y }) {
      const up = north + (height / 2 - y) * unitsPerPixel;
      const east = ((x - width / 2) * unitsPerPixel) / EARTH_METERS / RADIANS;
      return {
        latitude: Math.atan(Math.sinh(up / EARTH_METERS)) / RADIANS,
        longitude: wrapped(middle.longitude + east),
      };
    },
  };
}

/** Into [-180, 180]: the short way across the 180° meridian. */
function wrapped(degrees: number): number {
  return degrees - 360 * Math.round(degrees / 360);
}

function mercator(latitude: number): number {
  return EARTH_METERS * Math.asinh(Math.tan(latitude * RADIANS));
}
