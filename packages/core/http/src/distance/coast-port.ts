import type { Coast, CoastAnswer, CoastAnswerFields } from '@leeward/coast';

type Interval = 'minMeters' | 'maxMeters' | 'decidedBy' | 'isTidalRiverPossible';
type ShoreAnswer = Omit<CoastAnswerFields, Interval> & Partial<Pick<CoastAnswerFields, Interval>>;

export const USUAL_LAYER = 'tidal';

/** Finds the nearest shore. May omit the interval of the distance. */
export interface CoastPort extends Pick<Coast, 'datasets'> {
  nearest(...query: Parameters<Coast['nearest']>): ShoreAnswer;
}

/** An omitted interval is the distance ± its accuracy. Throws the coast's errors. */
export function nearestShore(coast: CoastPort, ...query: Parameters<Coast['nearest']>): CoastAnswerFields {
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

function hasInterval(answer: ShoreAnswer): answer is CoastAnswerFields {
  return answer.minMeters !== undefined && answer.maxMeters !== undefined;
}

/** A copy with other fields. A copy of the coast's own answers keeps their probabilities. */
export function changeAnswer(answer: CoastAnswerFields, changes: Partial<CoastAnswerFields>): CoastAnswerFields {
  return 'with' in answer ? (answer as CoastAnswer).with(changes) : { ...answer, ...changes };
}
