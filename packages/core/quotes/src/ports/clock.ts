import type { Micros } from '@leeward/terms';

/** Source of instants, for tests and replays. The default is the database's clock, which all workers share. */
export interface Clock {
  /** Microseconds since 1970. */
  nowMicros(): Micros;
}
