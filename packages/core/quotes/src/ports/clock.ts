import type { Micros } from '@leeward/terms';

/**
 * The source of instants. Where none is given the store's own clock is used: the database's, so that several workers
 * agree on leases and deadlines however wrong the clock of any of them is. Give one to replay or to test.
 */
export interface Clock {
  nowMicros(): Micros;
}
