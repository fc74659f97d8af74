import type { Caller } from '../access/directory.ts';
import { Problem } from '../problem/problem.ts';
import { tenantOf } from './admission.ts';
import { createShares } from './shares.ts';

/** Maximum numbers of streams that are open at once in this process. */
export interface StreamLimits {
  readonly maxPerTeam: number;
  /** Maximum for all teams of an organization together. @default a fifth of `max`, rounded up */
  readonly maxPerOrganization?: number | undefined;
  /** Maximum for all organizations. An organization with less than an even share still gets a place when all are taken. */
  readonly max: number;
}

/** Places for streams that outlast their requests. */
export interface StreamPlaces {
  /**
   * Takes a place for a stream of a team. The returned function frees it; further calls of it do nothing.
   *
   * @throws {Problem} 429 if the team or its organization has all of its places.
   */
  take(caller: Caller, teamId: string): () => void;
}

const ORGANIZATIONS_TO_FILL_ALL = 5;

/** @param what is counted, in the plural: `event streams`. */
export function createStreamPlaces(what: string, limits: StreamLimits): StreamPlaces {
  const { maxPerTeam, max, maxPerOrganization = Math.ceil(max / ORGANIZATIONS_TO_FILL_ALL) } = limits;
  const teams = createShares(Number.POSITIVE_INFINITY, maxPerTeam);
  const organizations = createShares(max, maxPerOrganization);
  return {
    take(caller, teamId) {
      if (!teams.enter(teamId)) {
        throw refused(`Your team has ${maxPerTeam} ${what} open, the maximum for one team; close one first.`);
      }
      const tenant = tenantOf(caller);
      if (!organizations.enter(tenant)) {
        teams.leave(teamId);
        throw refused(`Your organization has its maximum of ${what} open; close one, or try again in 10 seconds.`);
      }
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        teams.leave(teamId);
        organizations.leave(tenant);
      };
    },
  };
}

function refused(detail: string): Problem {
  return new Problem('rate_limited', detail, { headers: { 'retry-after': '10' } });
}
