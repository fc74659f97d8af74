import type { AccountStore } from '@leeward/accounts';
import { HAZARD_EVENTS } from './count-change.ts';

/** Hazard events of the operator, for processes that follow them. */
export interface StoredHazardEvents {
  /** Rises with every change of any process; 0: none. One read by key. */
  number(): Promise<number>;
  /** One consistent read. Events that ended long ago are left out. */
  current(): Promise<{ readonly number: number; readonly events: readonly unknown[] }>;
}

/**
 * Reads the events that an operator posted.
 *
 * @example
 * const { number, events } = await createStoredHazardEvents(store).current();
 */
export function createStoredHazardEvents({ reader, read }: Pick<AccountStore, 'reader' | 'read'>): StoredHazardEvents {
  return {
    number: async () => (await reader.get('registries', HAZARD_EVENTS))?.number ?? 0,
    current: () =>
      read(async (moment) => {
        const number = (await moment.get('registries', HAZARD_EVENTS))?.number ?? 0;
        const records = await moment.list('hazard_events', { where: { status: 'current' } });
        return { number, events: records.map(({ event }) => event) };
      }),
  };
}
