import type { JsonObject } from '@leeward/terms';

/** Evaluates watched homes by the rules and events in force. */
export interface HomeVerdicts {
  /**
   * Names the rules, events and dates in force for a team, equally in all processes: homes are evaluated again when it changes. Resolves
   * with undefined while they are unknown, or if there is no such team.
   */
  stamp(teamId: string): Promise<string | undefined>;
  /**
   * The carriers that were evaluated; others are not offered. Resolves with undefined while something that the verdicts depend on is
   * unavailable. @throws {InvalidQuoteRequestError} with all faults of the home
   */
  evaluate(teamId: string, home: JsonObject): Promise<readonly HomeVerdict[] | undefined>;
}

/** A carrier's answer about a home. */
export interface HomeVerdict {
  readonly carrierKey: string;
  readonly carrier: string;
  readonly policyType: string;
  readonly status: HomeStatus;
  /** The first reason in words; for `needs_information`, the missing fields. */
  readonly reason?: string | undefined;
}

/** Statuses of carriers for a home. `not_offered`: not evaluated, for example without an appointment. */
export const homeStatuses = ['eligible', 'referral', 'needs_information', 'ineligible', 'not_offered'] as const;

/** A status of {@link homeStatuses}. */
export type HomeStatus = (typeof homeStatuses)[number];

/** A carrier whose status changed. */
export interface HomeChange {
  readonly carrierKey: string;
  readonly carrier: string;
  readonly policyType: string;
  readonly before: HomeStatus;
  readonly after: HomeStatus;
  readonly reason?: string | undefined;
}
