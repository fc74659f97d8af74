/** Maximum number of records per organization. */
export interface Limits {
  readonly teams: number;
  readonly producers: number;
  readonly appointments: number;
  /** Without ended ones. */
  readonly tokens: number;
  readonly users: number;
}

export const defaultLimits: Limits = {
  teams: 1_000,
  producers: 20_000,
  appointments: 5_000,
  tokens: 1_000,
  users: 5_000,
};
