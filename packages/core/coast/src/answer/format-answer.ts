import { compassPoint } from '../earth/compass-point.ts';
import { definitionName } from '../shoreline/coast-definition.ts';
import type { CoastAnswerFields } from './coast-answer.ts';
import { formatDecimal } from './format-decimal.ts';
import { type PointLocation, presentCoastAnswer } from './present-coast-answer.ts';

/** Words for names of shorelines and layers, and for lengths. If omitted, the names, and meters. */
interface CoastAnswerWords {
  readonly dataset?: (dataset: { readonly name: string; readonly version: string }) => string;
  /** For a shoreline whose version is not in the answer. */
  readonly datasetName?: (name: string) => string;
  readonly layer?: (name: string) => string;
  readonly length?: (meters: number) => string;
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
  const { dataset = nameAndVersion, datasetName = unchanged, layer = unchanged, length = inMeters } = words;
  const { distance, bearing_degrees, range_meters, dataset: source, on_land } = presentCoastAnswer(answer, location);
  const { kilometers, feet, miles } = distance.formatted;
  const isCoarse = location !== undefined && location.errorRadiusMeters > answer.distanceMeters / 5;
  // The error of the place makes a tenth of a degree meaningless.
  const bearing = isCoarse ? `about ${formatDecimal(answer.azimuthDegrees, 0)}°` : bearing_degrees;
  const about = isCoarse ? 'about ' : '';
  const text = [
    `The coast is ${about}${length(answer.distanceMeters)} to the ${compassPoint(answer.azimuthDegrees)}.`,
    `  ${layer(definitionName(answer.definition))}: ${kilometers} km, ${feet} ft, ${miles} mi, bearing ${bearing}`,
    `  coast point ${formatDecimal(answer.coast.latitude, 6)}, ${formatDecimal(answer.coast.longitude, 6)} (${answer.shore})`,
    `  that shore counts as ${answer.layers.map(layer).join(', ')}`,
    `  between ${length(range_meters.min)} and ${length(range_meters.max)}, by ${dataset(source)}`,
  ];
  if (answer.isTidalRiverPossible) {
    const { distance: main, min, max } = answer.decidedBy;
    text.push(
      '  tidal water that the drawn shore does not show may be nearer:',
      `  distance by ${datasetName(main)}`,
      `  minimum by ${datasetName(min)}`,
      `  maximum by ${datasetName(max)}`,
    );
  }
  if (answer.sources.length > 1) {
    const each = answer.sources.map(
      ({ dataset: name, distanceMeters }) => `${datasetName(name)} ${length(distanceMeters)}`,
    );
    text.push(`  sources: ${each.join(', ')}`);
  }
  if (on_land !== null) text.push(`  the point is ${on_land ? 'on land' : 'in the water'}`);
  return text.join('\n');
}

const unchanged = (name: string) => name;
const nameAndVersion = ({ name, version }: { readonly name: string; readonly version: string }) => `${name} ${version}`;
const inMeters = (meters: number) => `${formatDecimal(meters, 0)} meters`;
