import { metersBetween } from './plane.ts';
import { LINK_PARTS_METERS, MAX_LINK_METERS } from './tidal-rules.ts';
import type { TideStation } from './tide-stations.ts';

export type Place = readonly [longitude: number, latitude: number];

/** A straight piece of the way from a gauge to known water that no source draws. */
export interface LinkStretch {
  readonly from: Place;
  readonly to: Place;
  /** Index in `LINK_PARTS_METERS`. */
  readonly part: number;
}

/**
 * Links each gauge with the nearest known tidal water, and keeps the stretches that are nearer to the gauge than to a drawn shore. Near a
 * shore, the shore is the better evidence. Links therefore never cross land between two shores, such as a barrier island.
 */
export function linkStations(
  gauges: readonly TideStation[],
  nearestKnown: (gauge: TideStation) => Place | undefined,
  metersToShore: (place: Place) => number,
): LinkStretch[] {
  return gauges.flatMap((gauge) => {
    const from: Place = [gauge.longitude, gauge.latitude];
    const to = nearestKnown(gauge);
    return to === undefined ? [] : stretchesOf(from, to, metersToShore);
  });
}

export function stretchesOf(from: Place, to: Place, metersToShore: (place: Place) => number): LinkStretch[] {
  const meters = metersBetween(...from, ...to);
  if (meters > MAX_LINK_METERS) return [];
  const count = Math.max(1, Math.ceil(meters / STRETCH_METERS));
  const at = (step: number): Place => [
    from[0] + ((to[0] - from[0]) * step) / count,
    from[1] + ((to[1] - from[1]) * step) / count,
  ];
  const stretches: LinkStretch[] = [];
  for (let step = 0; step < count; step++) {
    const toGauge = ((step + 1) * meters) / count;
    const part = LINK_PARTS_METERS.findIndex((limit) => toGauge <= limit);
    if (part < 0 || toGauge >= metersToShore(at(step + 1))) break;
    stretches.push({ from: at(step), to: at(step + 1), part });
  }
  return stretches;
}

const STRETCH_METERS = 250;
