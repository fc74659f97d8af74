import type { Micros } from '@leeward/terms';

/** Source of instants, for tests and replays. By default the database's clock is used, so that all workers share one clock. */
export interface Clock {
  /** Microseconds since 1970. */
  nowMicros(): Micros;
}
