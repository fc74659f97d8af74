import { CoastError, type Shoreline } from '@leeward/coast';
import { formatStationMeasure, type StationMeasure } from '@leeward/coast-builder';
import { loadCoastlineUs } from '@leeward/coastline-us';
import { formatCount } from '../format-count.ts';

/** Stations cannot measure the lines better, if their radius is within this factor of that of perfect lines. */
const RESOLUTION_FACTOR = 1.5;
const MAX_PLACES = 5;
/** Vertices at which the shipped coastline is measured. */
const MAX_SAMPLES = 300;

/** Reports how the accuracy of a custom shoreline was found, what the tide stations could not measure, and whether it is worth using. */
export function describeMeasure(measure: StationMeasure | undefined, shoreline: Shoreline): string[] {
  const statedMeters = Math.max(...shoreline.accuracy.radiusMeters);
  return [
    ...(measure === undefined
      ? [`${shoreline.name}: no tide station lies in its area; the accuracy is not measured.`]
      : describeStations(measure, shoreline.name, statedMeters)),
    ...compareWithShipped(shoreline, statedMeters),
  ];
}

function describeStations(measure: StationMeasure, name: string, statedMeters: number): string[] {
  const { radiusMeters, minRadiusMeters, resolutionMeters, withoutLine } = measure;
  const lines = [`${name}: ${formatStationMeasure(measure)}.`];
  if (statedMeters < minRadiusMeters) {
    lines.push(
      `Warning: by the stations the lines are off by more than ${meters(minRadiusMeters)}; the stated accuracy is ${meters(statedMeters)}. Check their datum.`,
    );
  } else if (statedMeters >= radiusMeters && radiusMeters <= RESOLUTION_FACTOR * resolutionMeters) {
    lines.push(
      `These stations cannot measure better than ${meters(resolutionMeters)}, even for perfect lines. If the source publishes an accuracy class, give it with --accuracy.`,
    );
  }
  if (withoutLine.length > 0) {
    const places = withoutLine
      .slice(0, MAX_PLACES)
      .map((each) => `${each.latitude.toFixed(4)},${each.longitude.toFixed(4)} (${meters(each.distanceMeters)})`);
    const more = withoutLine.length > MAX_PLACES ? `, and ${formatCount(withoutLine.length - MAX_PLACES)} more` : '';
    lines.push(
      `Warning: stations without a line near: ${places.join(', ')}${more}. The files probably lack a creek or harbour there, so distances near it are too long. The accuracy does not include this.`,
    );
  }
  return lines;
}

function compareWithShipped(shoreline: Shoreline, statedMeters: number): string[] {
  const shippedMeters = shippedRadius(shoreline);
  if (shippedMeters === undefined || statedMeters <= shippedMeters) return [];
  return [
    `Warning: the accuracy of ${shoreline.name}, ${meters(statedMeters)}, is worse than that of the shipped coastline along its lines, ${meters(shippedMeters)} (median). More homes will be undecided.`,
  ];
}

/** Median along the lines. Undefined outside its coverage, or without a layer of the same name. */
function shippedRadius({ layerNames, positions }: Shoreline): number | undefined {
  const coast = loadCoastlineUs();
  const layers = layerNames.filter((name) => coast.datasets.every((dataset) => dataset.layerNames.includes(name)));
  if (layers.length === 0) return undefined;
  const count = positions.length / 2;
  const radii: number[] = [];
  for (let vertex = 0; vertex < count; vertex += Math.ceil(count / MAX_SAMPLES)) {
    const point = { longitude: positions[vertex * 2]!, latitude: positions[vertex * 2 + 1]! };
    try {
      radii.push(coast.nearest(point, { layers }).accuracyMeters);
    } catch (error) {
      if (!(error instanceof CoastError)) throw error;
    }
  }
  return radii.sort((one, other) => one - other)[radii.length >> 1];
}

function meters(value: number): string {
  return `${formatCount(Math.ceil(value))} m`;
}
