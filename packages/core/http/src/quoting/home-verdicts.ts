import { randomUUID } from 'node:crypto';
import { type Decider, homeVocabulary } from '@leeward/engine';
import { labelOf } from '@leeward/engine/vocabulary';
import { type HomeVerdict, type HomeVerdicts, InvalidQuoteRequestError } from '@leeward/quotes';
import type { DistancePorts } from '../distance/distance-ports.ts';
import type { HazardEventFeed } from '../hazard-events/hazard-event-feed.ts';
import { Problem } from '../problem/problem.ts';
import type { WireVerdict } from '../underwriting/decision-schema.ts';
import { underwriteHome } from '../underwriting/underwrite-home.ts';
import { stampOfEvents } from './verdict-source.ts';

/** Rules of teams, and lookups of places. */
export interface HomeVerdictPorts {
  /** With the overrides of the team's organization. */
  readonly rulesOf: (teamId: string) => Promise<Decider>;
  /** Names the rules of `rulesOf`, equally in all processes; undefined if there is no such team. */
  readonly rulesStampOf: (teamId: string) => Promise<string | undefined>;
  /** Storms and other events. If omitted, they are unknown. */
  readonly hazardEvents?: HazardEventFeed;
  /** Distances by address. If omitted, they stay unknown. */
  readonly distance?: DistancePorts;
  /** If omitted, the system's clock. */
  readonly clock?: () => Date;
}

/**
 * Evaluates watched homes as `/v1/underwrite/home` does: `homeVerdicts` of `createQuotes`. Homes are evaluated again when rules or events
 * change, at the start of each day (UTC), and each hour while there are events.
 *
 * @example
 * const homeVerdicts = createHomeVerdicts({ rulesOf: async () => catalog, rulesStampOf: async () => catalogStamp(catalog) });
 * createQuotes({ database, queue, teams, carriers, homeVerdicts });
 */
export function createHomeVerdicts(ports: HomeVerdictPorts): HomeVerdicts {
  const { rulesOf, rulesStampOf, hazardEvents, distance, clock = () => new Date() } = ports;
  return {
    async stamp(teamId) {
      const now = clock();
      const rules = await rulesStampOf(teamId);
      if (rules === undefined) return undefined;
      const day = now.toISOString().slice(0, 10);
      if (hazardEvents === undefined) return `${rules} ${day}`;
      const { events } = await hazardEvents.current();
      const stamp = stampOfEvents(events, now.getTime());
      if (stamp === undefined) return undefined;
      return `${rules} ${stamp} ${events?.length === 0 ? day : now.toISOString().slice(0, 13)}`;
    },
    async evaluate(teamId, home) {
      const decider = await rulesOf(teamId);
      try {
        const decision = await underwriteHome(
          { ...home, explain: false, include_not_offered: false },
          {
            decider,
            now: clock(),
            traceId: randomUUID(),
            organizationId: null,
            hazardEvents,
            distance,
          },
        );
        // A lookup that does not answer now must not look like a change.
        const isUnavailable = distance && decision.warnings.some(({ code }) => unavailableCodes.has(code));
        return isUnavailable ? undefined : [...decision.carriers, ...decision.declined].map(homeVerdictOf);
      } catch (error) {
        const faults = error instanceof Problem && error.code === 'invalid_request' ? error.options.errors : undefined;
        if (!faults) throw error;
        throw new InvalidQuoteRequestError(faults.map((fault) => ({ ...fault, path: `/home${fault.path}` })));
      }
    },
  };
}

/** Warnings about lookups of places that may succeed later. */
const unavailableCodes: ReadonlySet<string> = new Set(['distance_not_looked_up', 'hazards_not_looked_up']);

function homeVerdictOf(verdict: WireVerdict): HomeVerdict {
  const { carrier_key: carrierKey, carrier, policy_type: policyType, status, reasons, missing_fields } = verdict;
  const missing = missing_fields.map((name) => labelOf(name, homeVocabulary)).join(', ');
  const reason =
    reasons[0]?.message ?? (status === 'needs_information' && missing !== '' ? `Missing: ${missing}.` : undefined);
  return { carrierKey, carrier, policyType, status, ...(reason !== undefined && { reason }) };
}
