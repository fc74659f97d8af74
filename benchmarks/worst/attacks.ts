import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, requestsOf } from '../http/load.ts';
import type { Tenant } from './tenants.ts';

/** Where one tenant does his worst, and with what. */
export interface Ground {
  readonly port: number;
  readonly greedy: Tenant;
  /** Further tokens of his. */
  readonly tokens: readonly string[];
  /** Further organizations, each with a view of its own. */
  readonly others: readonly Tenant[];
}

export type Attack = (ground: Ground, signal: AbortSignal) => Promise<unknown>;

interface Asked {
  readonly path: string;
  readonly token: string;
  readonly body: unknown;
}

/**
 * Asks again and again over so many connections, and waits where it is told to: within its limits. Connections that break
 * are opened again.
 */
async function askOn(port: number, signal: AbortSignal, connections: number, ask: (count: number) => Asked) {
  let count = 0;
  const work = async () => {
    let connection: Connection | undefined;
    while (!signal.aborted) {
      const { path, token, body } = ask(count++);
      const [request] = requestsOf({ path, token, bodies: [JSON.stringify(body)] });
      try {
        connection ??= await Connection.open(port);
        const { status } = await connection.ask(request!);
        if (status === 429 || status === 503) await sleep(1_000, undefined, { signal });
      } catch {
        connection = undefined;
        await sleep(50);
      }
    }
    connection?.close();
  };
  await Promise.all(Array.from({ length: connections }, work));
}

/** A home whose answers nobody has kept: another effective date and other fields each time. */
function anotherHome(count: number): object {
  const year = 2026 + (count % 40);
  return {
    state: 'fl',
    county: 'marion',
    effective_date: `${year}-${String(1 + (count % 12)).padStart(2, '0')}-${String(1 + (count % 28)).padStart(2, '0')}`,
    dwelling_a: 100_000 + count,
    year_built: 1950 + (count % 60),
  };
}

const manyFields = Object.fromEntries(
  Array.from({ length: 12_000 }, (_, index) => [`field_${index.toString(36)}`, index]),
);

export const attacks: Readonly<Record<string, Attack>> = {
  'hostile rule sets': ({ port, greedy }, signal) =>
    askOn(port, signal, 16, (count) => ({
      path: `/v1/underwrite/home/${greedy.organizationId}`,
      token: greedy.key,
      body: anotherHome(count),
    })),
  'wide requests': ({ port, greedy }, signal) =>
    askOn(port, signal, 8, () => ({
      path: '/api/v1/quote/request',
      token: greedy.teamToken,
      body: { ...greedy.quoteRequest, fields: { ...greedy.quoteRequest.fields, ...manyFields } },
    })),
  'distance batches': ({ port, greedy }, signal) =>
    askOn(port, signal, 16, (count) => ({
      path: '/v1/distance-to-coast/batch',
      token: greedy.key,
      body: {
        items: Array.from({ length: 1_000 }, (_, index) => ({
          lat: 25 + ((index * 7 + count) % 2_000) / 100,
          lng: -120 + ((index * 13 + count) % 5_000) / 100,
        })),
      },
    })),
  // Over several tokens, so that it is not the limit of one that ends them; who is answered comes again after a while.
  'slow bodies': async ({ port, greedy, tokens }, signal) => {
    const open = new Set<Socket>();
    const hold = async (token: string) => {
      const head = `POST /v1/underwrite/home HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: 2000\r\n\r\n{"state": `;
      while (!signal.aborted) {
        const socket = connect(port, '127.0.0.1', () => socket.write(head));
        open.add(socket);
        // Whatever is answered, there is no more to send.
        socket.on('data', () => socket.destroy()).on('error', () => {});
        await new Promise((resolve) => socket.once('close', resolve));
        open.delete(socket);
        await sleep(1_000, undefined, { signal }).catch(() => {});
      }
    };
    signal.addEventListener('abort', () => {
      for (const socket of open) socket.destroy();
    });
    await Promise.all(Array.from({ length: 1_050 }, (_, index) => hold(tokens[index % tokens.length] ?? greedy.key)));
  },
  'many tokens': ({ port, greedy, tokens }, signal) =>
    askOn(port, signal, 64, (count) => ({
      path: '/v1/underwrite/home',
      token: tokens[count % tokens.length] ?? greedy.key,
      body: anotherHome(count),
    })),
  'many views': ({ port, others }, signal) =>
    askOn(port, signal, 16, (count) => {
      const { organizationId, key } = others[count % others.length]!;
      return { path: `/v1/underwrite/home/${organizationId}`, token: key, body: anotherHome(count) };
    }),
};
