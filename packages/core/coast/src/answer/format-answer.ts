import { definitionName } from '../shoreline/coast-definition.ts';
import type { CoastAnswerFields } from './coast-answer.ts';
import { formatDecimal } from './format-decimal.ts';
import { type PointLocation, presentCoastAnswer } from './present-coast-answer.ts';

/**
 * Formats an answer for a terminal.
 * @example
 * console.log(formatCoastAnswer(coast.nearest(home)));
 */
export function formatCoastAnswer(answer: CoastAnswerFields, location?: PointLocation): string {
  const presentation = presentCoastAnswer(answer, location);
  const { formatted } = presentation.distance;
  const layers = answer.layers.join(', ');
  const isCoarse = location !== undefined && location.errorRadiusMeters > answer.distanceMeters / 5;
  // The error of the place makes a tenth of a degree meaningless.
  const bearing = isCoarse ? `about ${formatDecimal(answer.azimuthDegrees, 0)}°` : presentation.bearing_degrees;
  const text = [
    isCoarse
      ? presentation.direction_to_coast.replace('The coast is ', 'The coast is about ')
      : presentation.direction_to_coast,
    `  ${definitionName(answer.definition)}: ${formatted.kilometers} km, ${formatted.feet} ft, ${formatted.miles} mi, bearing ${bearing}`,
    `  coast point ${formatDecimal(answer.coast.latitude, 6)}, ${formatDecimal(answer.coast.longitude, 6)} (${answer.shore}; ${layers})`,
    `  between ${formatDecimal(presentation.range_meters.min, 0)} and ${formatDecimal(presentation.range_meters.max, 0)} meters, by ${presentation.dataset.name} ${presentation.dataset.version}`,
  ];
  if (answer.isTidalRiverPossible) {
    const { distance, min, max } = answer.decidedBy;
    text.push(
      `  tidal water beyond the drawn shore: distance from ${distance}, minimum from ${min}, maximum from ${max}`,
    );
  }
  if (answer.sources.length > 1) {
    const each = answer.sources.map(
      ({ dataset, distanceMeters }) => `${dataset} ${formatDecimal(distanceMeters, 0)} m`,
    );
    text.push(`  sources: ${each.join(', ')}`);
  }
  if (presentation.on_land !== null) text.push(`  the point is ${presentation.on_land ? 'on land' : 'in the water'}`);
  return text.join('\n');
}
