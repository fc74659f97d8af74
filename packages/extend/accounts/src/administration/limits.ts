/** How many things one organization may have: enough for any, and too few to slow the others. */
export interface Limits {
  readonly teams: number;
  readonly producers: number;
  readonly appointments: number;
  readonly carriers: number;
  readonly overrides: number;
  /** That can be used. */
  readonly tokens: number;
  /** Versions in the registry, whatever became of them. */
  readonly rule_sets: number;
}

/** How much an organization may have where a host says nothing else: counts of things. */
export const defaultLimits: Limits = {
  teams: 1_000,
  producers: 20_000,
  appointments: 5_000,
  carriers: 100,
  overrides: 500,
  tokens: 1_000,
  rule_sets: 5_000,
};
