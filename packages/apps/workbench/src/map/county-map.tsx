import { geoAlbersUsa, geoAzimuthalEqualArea, geoPath } from 'd3-geo';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { type CountyShape, countyShapes } from './county-shapes.ts';

/** 0 (none) to 4 (many), or `open` if some could. */
export type Step = 0 | 1 | 2 | 3 | 4 | 'open';

export interface CountyMapProps {
  /** FIPS code; empty: all states. */
  readonly stateFips: string;
  /** Text alternative. */
  readonly label: string;
  /** Undefined without data. */
  readonly stepOf: (fips: string) => Step | undefined;
  readonly nameOf: (fips: string) => string;
  readonly chosen: string | undefined;
  readonly choose: (fips: string) => void;
}

const WIDTH = 720;
const HEIGHT = 480;
const MARGIN = 6;

/** Counties coloured by steps. Every view shows the same data in a table. */
export function CountyMap({ stateFips, label, stepOf, nameOf, chosen, choose }: CountyMapProps) {
  const [shapes, setShapes] = useState<readonly CountyShape[] | 'away' | undefined>(undefined);
  const [tries, setTries] = useState(0);
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
  const paths = useMemo(() => (typeof shapes === 'object' ? pathsOf(shapes, stateFips) : []), [shapes]);
  // Counties without data are one path.
  const unknown = paths.map(({ fips, path }) => (stepOf(fips) === undefined ? path : '')).join('');
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
    // biome-ignore lint/a11y/useKeyWithClickEvents: the table beside it has a button for each county.
    <svg
      class="county-map"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={label}
      onClick={({ target }) => {
        const fips = (target as SVGElement).dataset['fips'];
        if (fips) choose(fips);
      }}
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
        return (
          step !== undefined && (
            <path key={fips} data-fips={fips} d={path} {...shadeOf(step)}>
              <title>{nameOf(fips)}</title>
            </path>
          )
        );
      })}
      {unknown && <path class="step-none" d={unknown} />}
      {paths.map(({ fips, path }) => fips === chosen && <path key={`chosen ${fips}`} d={path} class="chosen" />)}
    </svg>
  );
}

/** A pattern fills the hatching: a style sheet of this page cannot name it. */
export const shadeOf = (step: Step): { readonly class: string; readonly fill?: string } => ({
  class: `step-${step}`,
  ...(step === 'open' ? { fill: 'url(#hatched)' } : {}),
});

function pathsOf(shapes: readonly CountyShape[], stateFips: string) {
  const all = { type: 'FeatureCollection' as const, features: [...shapes] };
  const extent: [[number, number], [number, number]] = [
    [MARGIN, MARGIN],
    [WIDTH - MARGIN, HEIGHT - MARGIN],
  ];
  const [lng, lat] = middleOf(shapes);
  const projection =
    stateFips === ''
      ? geoAlbersUsa().fitExtent(extent, all)
      : geoAzimuthalEqualArea().rotate([-lng, -lat]).fitExtent(extent, all);
  const path = geoPath(projection).digits(1);
  return shapes.map((shape) => ({ fips: shape.id, path: path(shape) ?? '' }));
}

/** Middle of a state; Alaska crosses the date line. */
function middleOf(shapes: readonly CountyShape[]): readonly [number, number] {
  const points = shapes.map(({ geometry }) => geometry.coordinates[0]![0]![0]!);
  const west = points.map(([lng]) => (lng! > 0 ? lng! - 360 : lng!));
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  return [mean(west), mean(points.map(([, lat]) => lat!))];
}
