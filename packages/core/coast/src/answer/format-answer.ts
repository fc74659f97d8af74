import { definitionName } from '../shoreline/coast-definition.ts';
import type { CoastAnswerFields } from './coast-answer.ts';
import { formatDecimal } from './format-decimal.ts';
import { type PointLocation, presentCoastAnswer } from './present-coast-answer.ts';

/** Words for names of shorelines and layers. If omitted, the names. */
interface CoastAnswerWords {
  readonly dataset?: (dataset: { readonly name: string; readonly version: string }) => string;
  /** For a shoreline whose version is not in the answer. */
  readonly datasetName?: (name: string) => string;
  readonly layer?: (name: string) => string;
}

/**
 * Formats an answer for a terminal.
 *
 * @example
 * console.log(formatCoastAnswer(coast.nearest(home)));
 */
export function formatCoastAnswer(
  answer: CoastAnswerFields,
  location?: PointLocation,
  words: CoastAnswerWords = {},
): string {
  const { dataset = nameAndVersion, datasetName = unchanged, layer = unchanged } = words;
  const presentation = presentCoastAnswer(answer, location);
  const { formatted } = presentation.distance;
  const layers = answer.layers.map(layer).join(', ');
  const isCoarse = location !== undefined && location.errorRadiusMeters > answer.distanceMeters / 5;
  // The error of the place makes a tenth of a degree meaningless.
  const bearing = isCoarse ? `about ${formatDecimal(answer.azimuthDegrees, 0)}°` : presentation.bearing_degrees;
  const text = [
    isCoarse
      ? presentation.direction_to_coast.replace('The coast is ', 'The coast is about ')
      : presentation.direction_to_coast,
    `  ${layer(definitionName(answer.definition))}: ${formatted.kilometers} km, ${formatted.feet} ft, ${formatted.miles} mi, bearing ${bearing}`,
    `  coast point ${formatDecimal(answer.coast.latitude, 6)}, ${formatDecimal(answer.coast.longitude, 6)} (${answer.shore}; ${layers})`,
    `  between ${formatDecimal(presentation.range_meters.min, 0)} and ${formatDecimal(presentation.range_meters.max, 0)} meters, by ${dataset(presentation.dataset)}`,
  ];
  if (answer.isTidalRiverPossible) {
    const { distance, min, max } = answer.decidedBy;
    text.push(
      `  tidal water beyond the drawn shore: distance from ${datasetName(distance)}, minimum from ${datasetName(min)}, maximum from ${datasetName(max)}`,
    );
  }
  if (answer.sources.length > 1) {
    const each = answer.sources.map(
      ({ dataset: source, distanceMeters }) => `${datasetName(source)} ${formatDecimal(distanceMeters, 0)} m`,
    );
    text.push(`  sources: ${each.join(', ')}`);
  }
  if (presentation.on_land !== null) text.push(`  the point is ${presentation.on_land ? 'on land' : 'in the water'}`);
  return text.join('\n');
}

const unchanged = (name: string) => name;
const nameAndVersion = ({ name, version }: { readonly name: string; readonly version: string }) => `${name} ${version}`;
