import {
  createPolledHazardEvents,
  type PolledHazardEvents,
  type PolledOptions,
  parseJson,
  type Reading,
} from './polled-hazard-events.ts';

/** Address and limits of a feed. */
export interface UrlHazardEventOptions extends Pick<PolledOptions, 'onError' | 'clock' | 'now' | 'random'> {
  /** `https://…` of a JSON list of events, or of an object with `events`. */
  readonly url: string;
  /** For example `Authorization`. @default none */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** In ms. @default 10_000 */
  readonly pollMs?: number | undefined;
  /** Maximum pause after failures, which doubles each time, in ms. @default 60_000 */
  readonly maxPauseMs?: number | undefined;
  /** Age from which the events are unknown, in ms. @default 300_000 */
  readonly maxAgeMs?: number | undefined;
  /** In ms. @default 10_000 */
  readonly timeoutMs?: number | undefined;
  /** @default 4_194_304 */
  readonly maxBytes?: number | undefined;
  /** @default the platform's `fetch` */
  readonly fetch?: typeof fetch | undefined;
}

/**
 * Reads events from a URL, with conditional requests. If it cannot be read for `maxAgeMs`, the events are unknown, never none.
 *
 * @example
 * const hazardEvents = createUrlHazardEvents({ url: 'https://weather.example/events.json' });
 * await hazardEvents.start();
 */
export function createUrlHazardEvents(options: UrlHazardEventOptions): PolledHazardEvents {
  const { url, headers = {}, pollMs = 10_000, maxPauseMs = 60_000, maxAgeMs = 300_000, timeoutMs = 10_000 } = options;
  const { maxBytes = 4 * 1024 * 1024, onError, clock, now, random } = options;
  const request = options.fetch ?? fetch;
  /** Headers of the last content without faults. */
  let validators: Readonly<Record<string, string>> = {};
  const read = async (signal: AbortSignal): Promise<Reading | undefined> => {
    const init = { headers: { accept: 'application/json', ...headers, ...validators }, signal };
    // A redirect could send the headers to another host.
    const response = await request(url, { ...init, redirect: 'error' });
    if (response.status === 304 && Object.keys(validators).length > 0) return undefined;
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new Error(`it answered ${response.status}.`);
    }
    const content = parseJson(await readText(response, maxBytes));
    return {
      content,
      accept() {
        validators = validatorsOf(response.headers);
      },
    };
  };
  const { origin, pathname } = new URL(url);
  return createPolledHazardEvents({
    // Without the query, which may hold a key.
    name: `The event feed ${origin}${pathname}`,
    async read(closing) {
      const signal = AbortSignal.any([closing, AbortSignal.timeout(timeoutMs)]);
      try {
        return await read(signal);
      } catch (error) {
        if (signal.aborted) throw new Error(`it did not answer within ${timeoutMs} ms.`);
        throw error instanceof TypeError ? new Error('there is no connection, or it redirects.') : error;
      }
    },
    ...{ pollMs, maxPauseMs, maxAgeMs, onError, clock, now, random },
  });
}

function validatorsOf(headers: Headers): Readonly<Record<string, string>> {
  const [etag, modified] = [headers.get('etag'), headers.get('last-modified')];
  return {
    ...(etag === null ? {} : { 'if-none-match': etag }),
    ...(modified === null ? {} : { 'if-modified-since': modified }),
  };
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the transfer.
    if (bytes > maxBytes) throw new Error(`it has more than ${maxBytes} bytes.`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
