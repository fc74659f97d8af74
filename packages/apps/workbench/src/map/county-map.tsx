import { useEffect, useMemo, useState } from 'preact/hooks';
import { type CountyShape, countyShapes } from './county-shapes.ts';
import { azimuthalEqualArea, projectionOfState } from './projections.ts';

/** 0 (none) to 4 (many), or `open` if some could. */
export type Step = 0 | 1 | 2 | 3 | 4 | 'open';

export interface CountyMapProps {
  /** FIPS code; empty: all states. */
  readonly stateFips: string;
  /** Draws only states with data, so that they are larger. @default false */
  readonly isClose?: boolean;
  /** Text alternative. */
  readonly label: string;
  /** Undefined without data. */
  readonly stepOf: (fips: string) => Step | undefined;
  readonly nameOf: (fips: string) => string;
  readonly chosen: string | undefined;
  readonly choose: (fips: string) => void;
}

const fipsAt = (target: EventTarget | null) => (target as SVGElement | null)?.dataset['fips'];

const WIDTH = 720;
const HEIGHT = 480;
const MARGIN = 6;

/** Counties coloured by steps. Every view shows the same data in a table. */
export function CountyMap({ stateFips, isClose, label, stepOf, nameOf, chosen, choose }: CountyMapProps) {
  const [shapes, setShapes] = useState<readonly CountyShape[] | 'away' | undefined>(undefined);
  const [tries, setTries] = useState(0);
  const [pointed, setPointed] = useState<string | undefined>(undefined);
  useEffect(() => {
    let isHere = true;
    setShapes(undefined);
    countyShapes(stateFips).then(
      (counties) => isHere && setShapes(counties),
      () => isHere && setShapes('away'),
    );
    return () => {
      isHere = false;
    };
  }, [stateFips, tries]);
  const ofStates = isClose ? statesWith(shapes, stepOf) : undefined;
  const paths = useMemo(() => {
    if (typeof shapes !== 'object') return [];
    return pathsOf(
      ofStates === undefined ? shapes : shapes.filter(({ id }) => ofStates.includes(id.slice(0, 2))),
      stateFips,
    );
  }, [shapes, ofStates]);
  // Counties without data are one path.
  const unknown = paths.map(({ fips, path }) => (stepOf(fips) === undefined ? path : '')).join('');
  // A finger chooses and does not point.
  const named = pointed ?? (chosen !== undefined && stepOf(chosen) !== undefined ? chosen : undefined);
  if (shapes === 'away')
    return (
      <div class="notice">
        <p>The map could not be loaded; the table has all it shows.</p>
        <button type="button" onClick={() => setTries(tries + 1)}>
          Try again
        </button>
      </div>
    );
  return (
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the table has a button for each county. */}
      <svg
        class="county-map"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={label}
        onClick={({ target }) => {
          const fips = fipsAt(target);
          if (fips) choose(fips);
        }}
        onPointerMove={({ target }) => setPointed(fipsAt(target))}
        onPointerLeave={() => setPointed(undefined)}
      >
        <defs>
          <pattern id="hatched" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect class="open-ground" width="8" height="8" />
            <rect class="open-stripe" width="2" height="8" />
          </pattern>
        </defs>
        {shapes === undefined && (
          <text x={WIDTH / 2} y={HEIGHT / 2} text-anchor="middle">
            Drawing the map …
          </text>
        )}
        {paths.map(({ fips, path }) => {
          const step = stepOf(fips);
          return step !== undefined && <path key={fips} data-fips={fips} d={path} {...shadeOf(step)} />;
        })}
        {unknown && <path class="step-none" d={unknown} />}
        {paths.map(({ fips, path }) => fips === pointed && <path key={`pointed ${fips}`} d={path} class="pointed" />)}
        {paths.map(({ fips, path }) => fips === chosen && <path key={`chosen ${fips}`} d={path} class="chosen" />)}
      </svg>
      {/* The table has the same for those who do not point. */}
      <p class="pointed-county" aria-hidden="true">
        {named === undefined ? 'Point at a county to see its name and counts.' : nameOf(named)}
      </p>
    </>
  );
}

/** FIPS codes of the states that have data, as one text. */
function statesWith(shapes: readonly CountyShape[] | string | undefined, stepOf: CountyMapProps['stepOf']): string {
  const all = typeof shapes === 'object' ? shapes : [];
  return [...new Set(all.flatMap(({ id }) => (stepOf(id) === undefined ? [] : [id.slice(0, 2)])))].join(' ');
}

/** A pattern fills the hatching: a style sheet of this page cannot name it. */
export const shadeOf = (step: Step): { readonly class: string; readonly fill?: string } => ({
  class: `step-${step}`,
  ...(step === 'open' ? { fill: 'url(#hatched)' } : {}),
});

function pathsOf(shapes: readonly CountyShape[], stateFips: string) {
  const ofState = azimuthalEqualArea(...middleOf(shapes));
  const projected = shapes.flatMap(({ id, geometry }) => {
    const project = stateFips === '' ? projectionOfState(id.slice(0, 2)) : ofState;
    // Coarse steps leave islands without an area.
    const rings = geometry.coordinates.flat().filter((ring) => ring.length > 3);
    return project ? [{ fips: id, rings: rings.map((ring) => ring.map(([lng, lat]) => project(lng!, lat!))) }] : [];
  });
  let [west, north, east, south] = [1, 1, -1, -1].map((sign) => sign * Number.POSITIVE_INFINITY) as number[] as [
    number,
    number,
    number,
    number,
  ];
  for (const { rings } of projected)
    for (const [x, y] of rings.flat()) {
      [west, north] = [Math.min(west, x), Math.min(north, y)];
      [east, south] = [Math.max(east, x), Math.max(south, y)];
    }
  const scale = Math.min((WIDTH - 2 * MARGIN) / (east - west), (HEIGHT - 2 * MARGIN) / (south - north));
  const place = ([x, y]: readonly [number, number]) =>
    `${(WIDTH / 2 + scale * (x - (west + east) / 2)).toFixed(1)},${(HEIGHT / 2 + scale * (y - (north + south) / 2)).toFixed(1)}`;
  return projected.map(({ fips, rings }) => ({
    fips,
    path: rings.map((ring) => `M${ring.slice(1).map(place).join('L')}Z`).join(''),
  }));
}

/** Middle of a state; Alaska crosses the date line. */
function middleOf(shapes: readonly CountyShape[]): readonly [number, number] {
  const points = shapes.map(({ geometry }) => geometry.coordinates[0]![0]![0]!);
  const west = points.map(([lng]) => (lng! > 0 ? lng! - 360 : lng!));
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  return [mean(west), mean(points.map(([, lat]) => lat!))];
}
