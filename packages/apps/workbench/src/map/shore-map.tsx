import { METERS_PER_FOOT, METERS_PER_MILE } from '@leeward/terms';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { WireDistance } from '../service/wire.ts';
import { describeDirection, describeLength, describeRange } from './describe-length.ts';
import { type DrawnLimit, type LimitLine, limitLines } from './drawn-limits.ts';
import { scales } from './map-cell.ts';
import { loadMapData, type MapData } from './map-data.ts';
import { placeLabels } from './map-labels.ts';
import { drawMap, type MapView, mapView, type Pixel } from './map-picture.ts';

export interface ShoreMapProps {
  readonly distance: WireDistance;
  readonly limits: readonly DrawnLimit[];
}

const MIN_REACH = 250;
const MAX_REACH = 2_500_000;
/** The first picture shows the surroundings of short distances too. */
const MIN_FIRST_REACH = 2_000;
/** Distances of fewer pixels would cover the shore. */
const MIN_LIMIT_PIXELS = 7;

/** The home between land and water, with the nearest shore and the limits of rules. */
export function ShoreMap({ distance, limits }: ShoreMapProps) {
  const { address, compass_point, dataset, range_meters: range } = distance;
  const meters = distance.distance.raw.meters;
  const [zoom, setZoom] = useState(0);
  useEffect(() => setZoom(0), [address.lat, address.lng]);
  const figure = useRef<HTMLDivElement>(null);
  const size = useSize(figure);
  const firstReach = Math.max(MIN_FIRST_REACH, 1.25 * meters, 1.1 * range.max);
  const reach = Math.max(MIN_REACH, Math.min(MAX_REACH, firstReach * 2 ** -zoom));
  const view = useMemo(() => mapView(address, size, reach), [address.lat, address.lng, size.width, size.height, reach]);
  const [loaded, loadAgain] = useMapData(view, reach, `${address.lat} ${address.lng}`);
  const lines = limitLines(limits, meters);
  const words = `The shore is ${describeLength(meters)} to the ${describeDirection(compass_point)} of the home. True distance: ${describeRange(range.min, range.max)}.`;
  return (
    <section class="panel stack-tight map" aria-labelledby="map-title">
      <div class="row between">
        <h2 id="map-title">Distance to the shore</h2>
        <span class="row no-print">
          <button type="button" onClick={() => setZoom(zoom + 1)} disabled={reach <= MIN_REACH}>
            Zoom in
          </button>
          <button type="button" onClick={() => setZoom(zoom - 1)} disabled={reach >= MAX_REACH}>
            Zoom out
          </button>
        </span>
      </div>
      <div ref={figure}>
        <svg viewBox={`0 0 ${size.width} ${size.height}`} role="img" aria-label={`Map. ${words}`}>
          {loaded.data && <Ground data={loaded.data} view={loaded.view} lines={lines} distance={distance} />}
          {!loaded.data && !loaded.isAway && (
            <text x={size.width / 2} y={size.height / 2} text-anchor="middle">
              Drawing the map …
            </text>
          )}
        </svg>
      </div>
      {loaded.isAway && (
        <p class="row">
          The map could not be loaded.
          <button type="button" onClick={loadAgain}>
            Try again
          </button>
        </p>
      )}
      <p>{words}</p>
      <ul class="row small map-key">
        <li>
          <svg class="sample" viewBox="0 0 24 12" aria-hidden="true">
            <rect class="ring" width="24" height="12" />
          </svg>
          True distance
        </li>
        {lines.map(({ meters: limit, distance: text, carriers }, index) => (
          <li key={limit}>
            <svg class="sample" viewBox="0 0 24 12" aria-hidden="true">
              <path class={`isoline isoline-${index + 1}`} d="M0 6h24" />
            </svg>
            {text}
            {carriers.length > 0 && `: ${carriers.join(', ')}`}
          </li>
        ))}
      </ul>
      <details class="small soft">
        <summary>Sources: © OpenStreetMap contributors, GSHHG, U.S. Census Bureau, GeoNames</summary>
        {(loaded.data?.attributions ?? []).map((text) => (
          <p key={text}>{text}</p>
        ))}
        <p>
          Measured to {dataset.name}, {dataset.version}, within {describeLength(dataset.accuracy_meters)}:{' '}
          {dataset.attribution}
        </p>
      </details>
    </section>
  );
}

/** The size of the picture, by the width of its place. */
function useSize(figure: { readonly current: HTMLElement | null }) {
  const [width, setWidth] = useState(640);
  useEffect(() => {
    const look = () => setWidth(Math.max(240, Math.round(figure.current?.clientWidth ?? 640)));
    const observer = new ResizeObserver(look);
    observer.observe(figure.current!);
    look();
    return () => observer.disconnect();
  }, []);
  return { width, height: Math.round(Math.max(280, Math.min(460, width * 0.64))) };
}

interface Loaded {
  readonly home: string;
  readonly view: MapView;
  readonly data?: MapData;
  readonly isAway: boolean;
}

/** The last picture of a home stays until the data of the next one is there. */
function useMapData(view: MapView, reach: number, home: string): readonly [Loaded, () => void] {
  const [loaded, setLoaded] = useState<Loaded>({ home, view, isAway: false });
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    loadMapData(scales.find(({ maxReach }) => reach <= maxReach)!, view.box).then(
      (data) => isCurrent && setLoaded({ home, view, data, isAway: false }),
      () => isCurrent && setLoaded({ home, view, isAway: true }),
    );
    return () => {
      isCurrent = false;
    };
  }, [view, tries]);
  return [loaded.home === home ? loaded : { home, view, isAway: false }, () => setTries(tries + 1)];
}

interface GroundProps {
  readonly data: MapData;
  readonly view: MapView;
  readonly lines: readonly LimitLine[];
  readonly distance: WireDistance;
}

function Ground({ data, view, lines, distance }: GroundProps) {
  const { coast, range_meters: range } = distance;
  const { width, height, home, pixelsPerMeter } = view;
  const nearest = view.project(coast.lng, coast.lat);
  const drawnLines = lines.filter(({ meters }) => meters * pixelsPerMeter >= MIN_LIMIT_PIXELS);
  const key = drawnLines.map(({ meters }) => meters).join();
  const paths = useMemo(
    () =>
      drawMap(
        data,
        view,
        drawnLines.map(({ meters }) => meters),
        nearest,
      ),
    [data, view, key, coast.lat, coast.lng],
  );
  const isolines = paths.isolines.map((isoline, index) => {
    const line = drawnLines[index]!;
    return { ...isoline, texts: [describeLine(line), line.distance] };
  });
  const labels = useMemo(
    () => placeLabels(data, view, paths, isolines, nearest),
    [paths, drawnLines.map(describeLine).join()],
  );
  return (
    <>
      <rect class="water" width={width} height={height} />
      <path class="land" d={paths.land} />
      <path class="river" d={paths.rivers} />
      <path class="county-line" d={paths.counties} />
      <path class="state-line" d={paths.states} />
      <path class="shore" d={paths.shore} />
      <path class="ring" d={ringPath(home, range.min * pixelsPerMeter, range.max * pixelsPerMeter)} />
      {paths.isolines.map(({ meters, path }) => (
        <path
          key={meters}
          class={`isoline isoline-${1 + lines.findIndex((line) => line.meters === meters)}`}
          d={path}
        />
      ))}
      {labels.map(({ kind, text, x, y, anchor, dot, place }) => (
        <>
          {dot && <circle class="town" cx={dot[0]} cy={dot[1]} r="2.5" />}
          <text
            key={`${kind} ${text}`}
            class={place === undefined ? kind : `isoline-text isoline-${1 + lines.indexOf(drawnLines[place]!)}`}
            x={x}
            y={y}
            text-anchor={anchor}
          >
            {text}
          </text>
        </>
      ))}
      <line class="way" x1={home[0]} y1={home[1]} x2={nearest[0]} y2={nearest[1]} />
      <circle class="shore-point" cx={nearest[0]} cy={nearest[1]} r="5" />
      <path
        class="pin"
        d="M0 0C-5-9-9-12-9-18a9 9 0 1 1 18 0C9-12 5-9 0 0Z"
        transform={`translate(${home[0]} ${home[1]})`}
      />
      <circle class="pin-eye" cx={home[0]} cy={home[1] - 18} r="3.5" />
      <ScaleBar view={view} />
    </>
  );
}

/** `1 mile: Heron Shore`, `1,000 feet: Pelican and 3 more`. */
function describeLine({ distance, carriers: [first, ...others] }: LimitLine): string {
  if (first === undefined) return distance;
  return `${distance}: ${first}${others.length === 0 ? '' : ` and ${others.length} more`}`;
}

/** Minimum width: two pixels. */
function ringPath([x, y]: Pixel, min: number, max: number): string {
  const inner = Math.max(0, Math.min(min, max - 2));
  const circle = (radius: number) =>
    radius <= 0
      ? ''
      : `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0Z`;
  return circle(max) + circle(inner);
}

const feet = [100, 200, 500, 1000, 2000].map(
  (each) => [`${each.toLocaleString('en-US')} feet`, each * METERS_PER_FOOT] as const,
);
const miles = [1, 2, 5, 10, 20, 50, 100, 200, 500].map(
  (each) => [`${each} ${each === 1 ? 'mile' : 'miles'}`, each * METERS_PER_MILE] as const,
);
const MIN_BAR_PIXELS = 50;

function ScaleBar({ view: { height, pixelsPerMeter } }: { readonly view: MapView }) {
  const bars = [...feet, ...miles];
  const [text, meters] = bars.find(([, each]) => each * pixelsPerMeter >= MIN_BAR_PIXELS) ?? bars.at(-1)!;
  const width = meters * pixelsPerMeter;
  return (
    <g transform={`translate(12 ${height - 12})`}>
      <path class="scale" d={`M0-5V0H${width}V-5`} />
      <text x="0" y="-9">
        {text}
      </text>
    </g>
  );
}
