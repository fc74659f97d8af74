import type { Coast, CoastAnswer } from '@leeward/coast';

type Interval = 'minMeters' | 'maxMeters' | 'decidedBy' | 'isTidalRiverPossible';
type ShoreAnswer = Omit<CoastAnswer, Interval> & Partial<Pick<CoastAnswer, Interval>>;

export const USUAL_LAYER = 'tidal';

/** Finds the nearest shore. May omit the interval of the distance. */
export interface CoastPort extends Pick<Coast, 'datasets'> {
  nearest(...query: Parameters<Coast['nearest']>): ShoreAnswer;
}

/** An omitted interval is the distance ± its accuracy. Throws the coast's errors. */
export function nearestShore(coast: CoastPort, ...query: Parameters<Coast['nearest']>): CoastAnswer {
  const answer = coast.nearest(...query);
  if (hasInterval(answer)) return answer;
  const { distanceMeters, accuracyMeters, dataset } = answer;
  return {
    ...answer,
    minMeters: Math.max(0, distanceMeters - accuracyMeters),
    maxMeters: distanceMeters + accuracyMeters,
    decidedBy: { distance: dataset.name, min: dataset.name, max: dataset.name },
    isTidalRiverPossible: false,
  };
}

function hasInterval(answer: ShoreAnswer): answer is CoastAnswer {
  return answer.minMeters !== undefined && answer.maxMeters !== undefined;
}
