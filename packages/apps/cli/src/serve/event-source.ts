import { resolve } from 'node:path';
import { createSqlStore } from '@leeward/accounts';
import type { Database } from '@leeward/database';
import {
  combineHazardEvents,
  createUrlHazardEvents,
  type HazardEventFeed,
  type PolledHazardEvents,
} from '@leeward/http';
import { createFileHazardEvents } from '@leeward/http/node';
import { followHazardEvents } from '@leeward/http-admin';
import { createStoredHazardEvents } from '@leeward/registry';
import type { Settings } from '../settings/read-settings.ts';

/** Source of events in addition to the operator's. */
export interface EventSourceSettings {
  /** An absolute path, or a URL. */
  readonly from: { readonly path: string } | { readonly url: string };
  readonly pollMs: number;
  readonly maxAgeMs: number;
}

/** Adds a fault for a URL of another kind. */
export function eventSourceSettings(
  settings: Pick<Settings, 'value'>,
  folder: string,
  faults: string[],
): EventSourceSettings | undefined {
  const text = settings.value('events');
  if (text === undefined) return undefined;
  const [, scheme] = /^([a-z][a-z0-9+.-]+):\/\//i.exec(text) ?? [];
  const isWeb = scheme !== undefined && /^https?$/i.test(scheme);
  if (scheme !== undefined && (!isWeb || !URL.canParse(text))) {
    faults.push(
      `LEEWARD_EVENTS is ${JSON.stringify(text)}; give a file, or a URL that begins with https:// or http://.`,
    );
  }
  return {
    from: isWeb ? { url: text } : { path: resolve(folder, text) },
    pollMs: (settings.value('events_poll_seconds') ?? 10) * 1000,
    maxAgeMs: (settings.value('events_max_age_seconds') ?? 300) * 1000,
  };
}

/** Follows the operator's events and those of the source. Rejects if the store cannot be read; a source may be unavailable. */
export async function openHazardEvents(
  database: Database,
  source: EventSourceSettings | undefined,
  onError: (error: unknown) => void,
): Promise<HazardEventFeed> {
  const posted = followHazardEvents({ stored: createStoredHazardEvents(createSqlStore(database)), onError });
  await posted.start();
  if (source === undefined) return posted;
  const polled = openSource(source, onError);
  await polled.start();
  return combineHazardEvents([posted, polled]);
}

function openSource(
  { from, pollMs, maxAgeMs }: EventSourceSettings,
  onError: (error: unknown) => void,
): PolledHazardEvents {
  return 'url' in from
    ? createUrlHazardEvents({ url: from.url, pollMs, maxAgeMs, onError })
    : createFileHazardEvents({ path: from.path, maxAgeMs, onError });
}
