import { Problem } from '../problem/problem.ts';

/** How many streams may be open in this process. */
export interface StreamPlaces {
  /**
   * Takes a place for a stream of a team, until what is returned is called.
   *
   * @throws {Problem} 429 to a team that has all of its own, 503 where there are none.
   */
  take(teamId: string): () => void;
}

/** Places for streams, which outlast their requests. @param what are counted, in the plural. */
export function createStreamPlaces(
  what: string,
  { maxPerTeam, max }: { readonly maxPerTeam: number; readonly max: number },
): StreamPlaces {
  const taken = new Map<string, number>();
  let all = 0;
  return {
    take(teamId) {
      const own = taken.get(teamId) ?? 0;
      const headers = { 'retry-after': '10' };
      if (own >= maxPerTeam) {
        const detail = `Your team has ${own} ${what} open, which is as many as it may; close one first.`;
        throw new Problem('rate_limited', detail, { headers });
      }
      if (all >= max) throw new Problem('unavailable', `No more ${what} can be open here.`, { headers });
      taken.set(teamId, own + 1);
      all++;
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        all--;
        const left = taken.get(teamId)! - 1;
        if (left > 0) taken.set(teamId, left);
        else taken.delete(teamId);
      };
    },
  };
}
