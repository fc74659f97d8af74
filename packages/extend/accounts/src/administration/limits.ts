/** Maximum number of records per organization: enough for any, and too few to slow the others. */
export interface Limits {
  readonly teams: number;
  readonly producers: number;
  readonly appointments: number;
  /** That can be used. */
  readonly tokens: number;
}

/** Limits unless the host sets others. */
export const defaultLimits: Limits = {
  teams: 1_000,
  producers: 20_000,
  appointments: 5_000,
  tokens: 1_000,
};
