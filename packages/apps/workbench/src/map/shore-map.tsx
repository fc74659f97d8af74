import { geoAzimuthalEquidistant, geoPath } from 'd3-geo';
import { useEffect, useState } from 'preact/hooks';
import type { WireDistance } from '../service/wire.ts';
import { type ShoreNear, shoreLines } from './shore-lines.ts';

export interface DrawnLimit {
  readonly carrier: string;
  readonly limit: number;
  readonly unit: 'miles' | 'feet' | 'meters';
}

export interface ShoreMapProps {
  readonly distance: WireDistance;
  readonly limits: readonly DrawnLimit[];
}

const WIDTH = 720;
const HEIGHT = 420;
const EARTH_METERS = 6_371_008.8;
const METERS_PER = { miles: 1609.344, feet: 0.3048, meters: 1 } as const;
/** Drawn if no rule has a limit. */
const usualLimits = [
  { limit: 1000, unit: 'feet' },
  { limit: 1, unit: 'miles' },
  { limit: 5, unit: 'miles' },
] as const;

/** The home, the nearest shore and the bands of limits. North is up, the scale true. */
export function ShoreMap({ distance, limits }: ShoreMapProps) {
  const { address, coast, dataset } = distance;
  const meters = distance.distance.raw.meters;
  const [zoom, setZoom] = useState(0);
  const reach = Math.min(2_000_000, Math.max(2_500, meters * 1.5) * 2 ** -zoom);
  const [shore, setShore] = useState<ShoreNear | undefined>(undefined);
  const lines = shore?.lines;
  const degrees = (reach / EARTH_METERS) * (180 / Math.PI);
  const wide = (degrees * WIDTH) / HEIGHT / Math.max(0.1, Math.cos((address.lat * Math.PI) / 180));
  useEffect(() => {
    let isHere = true;
    const box = {
      west: address.lng - wide,
      east: address.lng + wide,
      south: address.lat - degrees,
      north: address.lat + degrees,
    };
    void shoreLines(dataset.name, box).then((shoreNear) => {
      if (isHere) setShore(shoreNear);
    });
    return () => {
      isHere = false;
    };
  }, [address.lat, address.lng, dataset.name, reach]);

  const pixelsPerMeter = HEIGHT / 2 / reach;
  const projection = geoAzimuthalEquidistant()
    .rotate([-address.lng, -address.lat])
    .scale(EARTH_METERS * pixelsPerMeter)
    .translate([WIDTH / 2, HEIGHT / 2])
    .clipExtent([
      [-WIDTH, -HEIGHT],
      [2 * WIDTH, 2 * HEIGHT],
    ]);
  const path = geoPath(projection)({
    type: 'MultiLineString',
    coordinates: (lines ?? []).map((line) => line.map(([lng, lat]) => [lng, lat])),
  });
  const [shoreX, shoreY] = projection([coast.lng, coast.lat]) ?? [0, 0];
  const bands = drawnBands(limits);
  const radius = distance.location.error_radius_meters * pixelsPerMeter;
  const words = `${distance.direction_to_coast} Known to lie between ${round(distance.range_meters.min)} and ${round(distance.range_meters.max)} meters.`;
  return (
    <section class="panel stack-tight map" aria-labelledby="map-title">
      <div class="row between">
        <h2 id="map-title">How far is the shore?</h2>
        <span class="row no-print">
          <button type="button" onClick={() => setZoom(zoom + 1)} disabled={reach < 400}>
            Nearer
          </button>
          <button type="button" onClick={() => setZoom(zoom - 1)} disabled={reach >= 2_000_000}>
            Farther
          </button>
        </span>
      </div>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`Map: ${words}`}>
        {path &&
          bands
            .toReversed()
            .map(({ meters, place }) => (
              <path key={meters} class={`band band-${place}`} d={path} stroke-width={2 * meters * pixelsPerMeter} />
            ))}
        {path && <path class="shore" d={path} />}
        <line class="way" x1={WIDTH / 2} y1={HEIGHT / 2} x2={shoreX} y2={shoreY} />
        {radius > 2 && <circle class="radius" cx={WIDTH / 2} cy={HEIGHT / 2} r={radius} />}
        <circle class="shore-point" cx={shoreX} cy={shoreY} r="5" />
        <circle class="home-point" cx={WIDTH / 2} cy={HEIGHT / 2} r="6" />
        <text x={WIDTH / 2 + 10} y={HEIGHT / 2 - 8}>
          Home
        </text>
        <ScaleBar pixelsPerMeter={pixelsPerMeter} />
      </svg>
      <p>{words}</p>
      <ul class="row small">
        {bands.map(({ meters, place, text, carriers }) => (
          <li key={meters} class="row">
            <span class={`sample sample-${place}`} aria-hidden="true" />
            {text}
            {carriers.length > 0 && `: ${carriers.join(', ')}`}
          </li>
        ))}
      </ul>
      <p class="small soft">
        Shore: {dataset.name}, {dataset.version}, ±{round(dataset.accuracy_meters)} m. Home:{' '}
        {distance.location.precision}.{lines?.length === 0 && ' No shore lies within this picture: go farther.'}{' '}
        {shore?.attribution}
      </p>
    </section>
  );
}

function ScaleBar({ pixelsPerMeter }: { readonly pixelsPerMeter: number }) {
  const miles =
    [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 25, 50, 100, 250, 500].find(
      (each) => each * METERS_PER.miles * pixelsPerMeter > 60,
    ) ?? 500;
  const width = miles * METERS_PER.miles * pixelsPerMeter;
  return (
    <g transform={`translate(16 ${HEIGHT - 18})`}>
      <line class="way" x1="0" y1="0" x2={width} y2="0" />
      <text x="0" y="-6">
        {miles} mi
      </text>
    </g>
  );
}

const MAX_BANDS = 3;

/** Nearest limits first. If there are too many to tell apart, keeps those of most carriers. */
function drawnBands(limits: readonly DrawnLimit[]) {
  const byMeters = Map.groupBy(limits, ({ limit, unit }) => Math.round(limit * METERS_PER[unit]));
  const own = [...byMeters].map(([meters, same]) => ({
    meters,
    text: limitWords(same[0]!),
    carriers: [...new Set(same.map(({ carrier }) => carrier))],
  }));
  const usual = usualLimits.map(({ limit, unit }) => ({
    meters: Math.round(limit * METERS_PER[unit]),
    text: limitWords({ limit, unit }),
    carriers: [] as string[],
  }));
  const common = own.sort((a, b) => b.carriers.length - a.carriers.length).slice(0, MAX_BANDS);
  const drawn = own.length === 0 ? usual : common;
  return drawn.sort((a, b) => a.meters - b.meters).map((band, index) => ({ ...band, place: index + 1 }));
}

const limitWords = ({ limit, unit }: Pick<DrawnLimit, 'limit' | 'unit'>) =>
  `${limit.toLocaleString('en-US')} ${limit === 1 && unit === 'miles' ? 'mile' : unit}`;

const round = (meters: number) => Math.round(meters).toLocaleString('en-US');
