/**
 * Geodesics on WGS84 in the manner of GeodTest, the test set of GeographicLib (doi.org/10.5281/zenodo.32156): its classes, and one of
 * distances to a coast. A direct solution finds a second point for a drawn azimuth and length. Its coordinates are rounded, and the inverse
 * solution of the rounded points is the line. Both are by GeodSolve with elliptic integrals (`-E`), whose error is up to 40 nm.
 */
import { execFileSync } from 'node:child_process';
import { seededRandom } from '../packages/core/coast/src/testing/seeded-random.ts';

/** Degrees and meters. */
export interface GeodesicLine {
  readonly id: string;
  readonly kind: string;
  readonly latitude1: number;
  readonly longitude1: number;
  readonly azimuth1: number;
  readonly latitude2: number;
  readonly longitude2: number;
  readonly azimuth2: number;
  readonly distance: number;
  /** The reduced length: an azimuth that is off by α moves the end by α times this. */
  readonly reducedLength: number;
}

/** Latitude and azimuth at the first point, and the length, in meters unless `isArc`, then in degrees of the auxiliary sphere. */
interface Draw {
  readonly latitude: number;
  readonly azimuth: number;
  readonly length: number;
  readonly isArc?: boolean;
}

/** Meters from pole to pole. */
const HALF_MERIDIAN = 20_003_931.458_6;

interface Random {
  between(low: number, high: number): number;
  /** 10 to a power between `low` and `high`. */
  power(low: number, high: number): number;
  /** Evenly over the sphere. */
  latitude(): number;
}

const kinds: Readonly<Record<string, (random: Random) => Draw>> = {
  random: (r) => ({ latitude: r.latitude(), azimuth: r.between(-180, 180), length: r.between(0, HALF_MERIDIAN) }),
  antipodal: (r) => ({
    latitude: r.latitude(),
    azimuth: r.between(-180, 180),
    length: HALF_MERIDIAN - r.power(-1, 5.2),
  }),
  short: (r) => ({ latitude: r.latitude(), azimuth: r.between(-180, 180), length: r.power(-2, 4.5) }),
  'near a pole': (r) => ({
    latitude: 90 - r.power(-5, 0),
    azimuth: r.between(-180, 180),
    length: r.between(0, HALF_MERIDIAN),
  }),
  'near both poles': (r) => ({
    latitude: 90 - r.power(-5, 0),
    azimuth: r.between(-180, 180),
    length: HALF_MERIDIAN - r.power(0, 5),
  }),
  meridional: (r) => ({
    latitude: r.latitude(),
    azimuth: (r.between(0, 1) < 0.5 ? 0 : 180) + r.between(-1, 1) * r.power(-8, 0),
    length: r.between(0, HALF_MERIDIAN),
  }),
  equatorial: (r) => ({
    latitude: r.between(-1, 1) * r.power(-8, 0),
    azimuth: (r.between(0, 1) < 0.5 ? 90 : -90) + r.between(-1, 1) * r.power(-8, 0),
    length: r.between(0, HALF_MERIDIAN),
  }),
  'between vertices': (r) => ({ latitude: r.latitude(), azimuth: 90, length: 180, isArc: true }),
  'close to a vertex': (r) => ({ latitude: r.latitude(), azimuth: 90, length: 180 - r.power(-6, 0), isArc: true }),
  coast: (r) => ({ latitude: r.between(-15, 72), azimuth: r.between(-180, 180), length: r.power(0, Math.log10(2e6)) }),
};

const NAMES = [
  'latitude1',
  'longitude1',
  'azimuth1',
  'latitude2',
  'longitude2',
  'azimuth2',
  'distance',
  'reducedLength',
];

/**
 * Draws lines of each kind and solves them with GeodSolve, which must be installed (`geographiclib-tools` of Debian). Returns a text with a
 * line each, for `readGeodesics`.
 */
export function drawGeodesics(linesPerKind: number, seed: number): string {
  const next = seededRandom(seed);
  const random: Random = {
    between: (low, high) => low + (high - low) * (next() + next() / 2 ** 32),
    power: (low, high) => 10 ** random.between(low, high),
    latitude: () => (Math.asin(random.between(-1, 1)) * 180) / Math.PI,
  };
  const draws = Object.entries(kinds).flatMap(([kind, draw]) =>
    Array.from({ length: linesPerKind }, () => {
      const { latitude, azimuth, length, isArc = false } = draw(random);
      const start = `${latitude.toFixed(9)} ${random.between(-180, 180).toFixed(6)}`;
      return { kind, isArc, start, course: `${azimuth.toFixed(9)} ${length.toFixed(9)}` };
    }),
  );
  const ends = new Map<object, string>();
  for (const isArc of [false, true]) {
    const some = draws.filter((each) => each.isArc === isArc);
    const solved = geodSolve(
      [...(isArc ? ['-a'] : []), '-p', '10'],
      some.map(({ start, course }) => `${start} ${course}`),
    );
    for (const [index, each] of some.entries()) {
      const [latitude, longitude] = solved[index]!;
      ends.set(each, `${Number(latitude).toFixed(10)} ${Number(longitude).toFixed(10)}`);
    }
  }
  const pairs = draws.map((each) => `${each.start} ${ends.get(each)!}`);
  const solved = geodSolve(['-i', '-f', '-p', '10'], pairs);
  const lines = solved.map(([, , azimuth1, , , azimuth2, distance, , reducedLength], index) => {
    const { kind, start } = draws[index]!;
    const values = [start, azimuth1, ends.get(draws[index]!)!, azimuth2, distance, Number(reducedLength).toFixed(3)];
    return `${kind}: ${values.join(' ')}\n`;
  });
  const [version] = String(execFileSync('GeodSolve', ['--version'])).split('\n');
  return `# ${version}; ${linesPerKind} lines of each kind, seed ${seed}: ${NAMES.join(' ')}\n${lines.join('')}`;
}

export function readGeodesics(text: string): GeodesicLine[] {
  const [, ...lines] = text.trimEnd().split('\n');
  return lines.map((line, index) => {
    const [kind = '', values = ''] = line.split(': ');
    const numbers = values.split(' ').map(Number);
    const at = (name: string) => numbers[NAMES.indexOf(name)]!;
    return {
      id: `${kind} ${index}`,
      kind,
      latitude1: at('latitude1'),
      longitude1: at('longitude1'),
      azimuth1: at('azimuth1'),
      latitude2: at('latitude2'),
      longitude2: at('longitude2'),
      azimuth2: at('azimuth2'),
      distance: at('distance'),
      reducedLength: at('reducedLength'),
    };
  });
}

function geodSolve(options: readonly string[], input: readonly string[]): string[][] {
  const output = execFileSync('GeodSolve', ['-E', ...options], { input: `${input.join('\n')}\n`, maxBuffer: 2 ** 30 });
  return String(output)
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' '));
}
