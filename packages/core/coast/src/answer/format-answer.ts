import { definitionName } from '../shoreline/coast-definition.ts';
import type { CoastAnswer } from './coast.ts';
import { formatDecimal } from './format-decimal.ts';
import { type PointLocation, presentCoastAnswer } from './present-coast-answer.ts';

/** An answer as lines of text for a terminal. */
export function formatCoastAnswer(answer: CoastAnswer, location?: PointLocation): string {
  const shown = presentCoastAnswer(answer, location);
  const { formatted } = shown.distance;
  const layers = answer.layers.join(', ');
  const isCoarse = location !== undefined && location.errorRadiusMeters > answer.distanceMeters / 5;
  // A tenth of a degree says more than is known of a direction that the place may turn.
  const bearing = isCoarse ? `about ${formatDecimal(answer.azimuthDegrees, 0)}°` : shown.bearing_degrees;
  const text = [
    isCoarse ? shown.direction_to_coast.replace('The coast is ', 'The coast is about ') : shown.direction_to_coast,
    `  ${definitionName(answer.definition)}: ${formatted.kilometers} km, ${formatted.feet} ft, ${formatted.miles} mi, bearing ${bearing}`,
    `  coast point ${formatDecimal(answer.coast.latitude, 6)}, ${formatDecimal(answer.coast.longitude, 6)} (${answer.shore}; ${layers})`,
    `  between ${formatDecimal(shown.range_meters.min, 0)} and ${formatDecimal(shown.range_meters.max, 0)} meters, by ${shown.dataset.name} ${shown.dataset.version}`,
  ];
  if (answer.isTidalRiverPossible) {
    const { distance, min, max } = answer.decidedBy;
    text.push(
      `  tidal water beyond the drawn shore: the distance is by ${distance}, the least by ${min}, the greatest by ${max}`,
    );
  }
  if (answer.sources.length > 1) {
    const each = answer.sources.map(
      ({ dataset, distanceMeters }) => `${dataset} ${formatDecimal(distanceMeters, 0)} m`,
    );
    text.push(`  sources: ${each.join(', ')}`);
  }
  if (shown.on_land !== null) text.push(`  the point lies ${shown.on_land ? 'on land' : 'in the water'}`);
  return text.join('\n');
}
