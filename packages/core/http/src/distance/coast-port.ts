import type { Coast, CoastAnswer } from '@leeward/coast';

type Interval = 'minMeters' | 'maxMeters' | 'decidedBy' | 'isTidalRiverPossible';
type ShoreAnswer = Omit<CoastAnswer, Interval> & Partial<Pick<CoastAnswer, Interval>>;

/** What is asked for the nearest shore: ours, or a host's own, which may know of no tidal waters beyond its shores. */
export interface CoastPort extends Pick<Coast, 'datasets'> {
  nearest(...asked: Parameters<Coast['nearest']>): ShoreAnswer;
}

/** The answer of a coast, whose interval is the distance ± its accuracy where the coast tells none. Throws what the coast throws. */
export function nearestShore(coast: CoastPort, ...asked: Parameters<Coast['nearest']>): CoastAnswer {
  const answer = coast.nearest(...asked);
  if (tellsInterval(answer)) return answer;
  const { distanceMeters, accuracyMeters, dataset } = answer;
  return {
    ...answer,
    minMeters: Math.max(0, distanceMeters - accuracyMeters),
    maxMeters: distanceMeters + accuracyMeters,
    decidedBy: { distance: dataset.name, min: dataset.name, max: dataset.name },
    isTidalRiverPossible: false,
  };
}

function tellsInterval(answer: ShoreAnswer): answer is CoastAnswer {
  return answer.minMeters !== undefined && answer.maxMeters !== undefined;
}
