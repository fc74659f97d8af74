import { setTimeout as sleep } from 'node:timers/promises';
import type { TaggedEvent } from '../service/quotes.ts';

export interface Followed {
  readonly quoteId: string;
  readonly events: readonly TaggedEvent[];
  readonly cuts: number;
}

export const HEARTBEAT_MS = 500;
const SILENCE_MS = 4 * HEARTBEAT_MS;

/** Follows quotes to their end through any running process, like a client of event streams. */
export function createFollowers(addresses: () => readonly string[], random: () => number) {
  const giveUp = new AbortController();
  const all: Promise<Followed>[] = [];

  async function follow(quoteId: string): Promise<Followed> {
    const events: TaggedEvent[] = [];
    let cuts = 0;
    while (!giveUp.signal.aborted) {
      const open = addresses();
      const address = open[Math.floor(random() * open.length)];
      if (address !== undefined) {
        try {
          await read(`${address}/${quoteId}?after=${events.at(-1)?.id ?? 0}`, events);
          if (events.at(-1)?.message.type === 'quote.completed') break;
        } catch {
          // Killed, paused or without its database: another process continues.
        }
        cuts++;
      }
      await sleep(100);
    }
    return { quoteId, events, cuts };
  }

  async function read(url: string, events: TaggedEvent[]): Promise<void> {
    const silence = new AbortController();
    let timer = setTimeout(() => silence.abort(), SILENCE_MS);
    try {
      const response = await fetch(url, { signal: AbortSignal.any([silence.signal, giveUp.signal]) });
      if (!response.ok) return;
      let rest = '';
      for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), SILENCE_MS);
        const lines = (rest + text).split('\n');
        rest = lines.pop()!;
        for (const line of lines) if (line !== '') events.push(JSON.parse(line) as TaggedEvent);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    add(quoteId: string) {
      all.push(follow(quoteId));
    },
    async ended(patienceMs: number): Promise<Followed[]> {
      const timer = setTimeout(() => giveUp.abort(), patienceMs);
      const followed = await Promise.all(all);
      clearTimeout(timer);
      return followed;
    },
    async [Symbol.asyncDispose]() {
      giveUp.abort();
      await Promise.all(all);
    },
  };
}
