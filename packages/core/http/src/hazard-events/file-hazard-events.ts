import { readFile, stat } from 'node:fs/promises';
import {
  createPolledHazardEvents,
  type PolledHazardEvents,
  type PolledOptions,
  parseJson,
} from './polled-hazard-events.ts';

/** A file, and how often it is checked. */
export interface FileHazardEventOptions extends Pick<PolledOptions, 'onError' | 'clock' | 'now' | 'random'> {
  /** A JSON list of events, or an object with `events`. */
  readonly path: string;
  /** In ms. @default 500 */
  readonly pollMs?: number | undefined;
  /** Age from which the events are unknown if the file cannot be used, in ms. @default 300_000 */
  readonly maxAgeMs?: number | undefined;
  /** @default 4_194_304 */
  readonly maxBytes?: number | undefined;
}

/**
 * Reads events from a file, and again when it changes. If it cannot be used for `maxAgeMs`, the events are unknown, never none.
 *
 * @example
 * const hazardEvents = createFileHazardEvents({ path: 'events.json' });
 * await hazardEvents.start();
 */
export function createFileHazardEvents(options: FileHazardEventOptions): PolledHazardEvents {
  const { path, pollMs = 500, maxAgeMs = 300_000, maxBytes = 4 * 1024 * 1024, ...rest } = options;
  let accepted: string | undefined;
  return createPolledHazardEvents({
    ...rest,
    name: `The event file ${path}`,
    pollMs,
    maxAgeMs,
    async read() {
      const { mtimeMs, ino, size } = await stat(path).catch((cause: NodeJS.ErrnoException) => {
        throw new Error(cause.code === 'ENOENT' ? 'it does not exist.' : `it cannot be read (${cause.code}).`, {
          cause,
        });
      });
      const version = `${mtimeMs} ${ino} ${size}`;
      if (version === accepted) return undefined;
      if (size > maxBytes) throw new Error(`it has more than ${maxBytes} bytes.`);
      const content = parseJson(await readFile(path, 'utf8'));
      return {
        content,
        accept() {
          accepted = version;
        },
      };
    },
  });
}
