import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { badEndpointPaths, listenBadly } from '../../test/support/bad-endpoints.ts';
import { hostileRuleSets } from '../../test/support/engine/hostile-rule-sets.ts';
import { bytesOf, Connection, requestsOf } from '../http/load.ts';
import type { Team, Tenant } from './tenants.ts';

/** The service under attack and the attacker's credentials. */
export interface Ground {
  readonly port: number;
  readonly greedy: Tenant;
  /** Further tokens. */
  readonly tokens: readonly string[];
  /** Further organizations, each with a separate view. */
  readonly others: readonly Tenant[];
  /** Further teams with their tokens. */
  readonly teams: readonly Team[];
}

export type Attack = (ground: Ground, signal: AbortSignal) => Promise<unknown>;

interface Asked {
  readonly path: string;
  readonly token: string;
  readonly body: unknown;
}

interface AskOptions {
  /**
   * Pause between any response and the next request of its connection. Default: none, and one second after 429 and 503.
   */
  readonly pauseMs?: number;
  /** Addresses of this machine that the connections come from, in turn. @default one */
  readonly addresses?: readonly string[];
}

/** Sends requests continuously over `connections` connections and reopens broken ones. */
async function askOn(
  port: number,
  signal: AbortSignal,
  connections: number,
  ask: (count: number) => Asked | Buffer,
  { pauseMs, addresses = [] }: AskOptions = {},
) {
  let count = 0;
  const work = async (_: unknown, index: number) => {
    let connection: Connection | undefined;
    while (!signal.aborted) {
      const asked = ask(count++);
      const request = Buffer.isBuffer(asked)
        ? asked
        : requestsOf({ ...asked, bodies: [JSON.stringify(asked.body)] })[0]!;
      try {
        connection ??= await Connection.open(port, addresses[index % addresses.length]);
        const { status } = await connection.ask(request);
        const waitMs = pauseMs ?? (status === 429 || status === 503 ? 1_000 : 0);
        if (waitMs > 0) await sleep(waitMs, undefined, { signal });
      } catch {
        connection = undefined;
        await sleep(50);
      }
    }
    connection?.close();
  };
  await Promise.all(Array.from({ length: connections }).map(work));
}

/** An uncached home: date and fields differ each time. */
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

/** Requests without a token, up to 1,600 a second: more would slow the measuring process. */
const WITHOUT_TOKEN_PAUSE_MS = 20;
const addresses = Array.from({ length: 8 }, (_, index) => `127.0.0.${index + 2}`);

const badSignature = { 'content-type': 'application/json', 'x-signature': `sha256=${'0'.repeat(64)}`, 'x-time': '0' };
/** Callback path of the carrier in `callback-carrier.ts`. */
const callbackPath = '/carrier/v1/callback/lantern_mutual';
const callbacks: readonly Buffer[] = [
  bytesOf('POST', callbackPath, {}, '{"event": "e-1", "rate": "r-1"}'),
  bytesOf('POST', callbackPath, badSignature, '{"event": "e-1", "rate": "r-1"}'),
  bytesOf('POST', callbackPath, badSignature, '{"event": '),
  bytesOf('POST', callbackPath, badSignature, Buffer.alloc(512, 0xff)),
  // At and above the maximum size.
  bytesOf('POST', callbackPath, badSignature, `[${'[],'.repeat(21_000)}[]]`),
  bytesOf('POST', callbackPath, badSignature, '.'.repeat(256_000)),
  bytesOf('POST', '/carrier/v1/callback/nobody', badSignature, '{}'),
];

const withoutToken: readonly Buffer[] = [
  ...['/', '/docs', '/openapi.json', '/lines.json', '/problems', '/schemas/rule-set-1.json', '/workbench/none.js'],
  ...['/nothing', '/wp-login.php', '/v1/underwrite/home', '/metrics'],
].map((path) => bytesOf('GET', path));
const badTokens: readonly Buffer[] = Array.from({ length: 8 }, (_, index) =>
  bytesOf(
    'POST',
    '/v1/underwrite/home',
    // A well-formed token that does not exist.
    {
      authorization: `Bearer lw_live_${String(index).repeat(26)}_${'k'.repeat(43)}`,
      'content-type': 'application/json',
    },
    '{"state": "fl"}',
  ),
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
  // Several tokens, so that the limit of one does not end them.
  'slow bodies': async ({ port, greedy, tokens }, signal) => {
    const open = new Set<Socket>();
    const hold = async (token: string) => {
      const head = `POST /v1/underwrite/home HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: 2000\r\n\r\n{"state": `;
      while (!signal.aborted) {
        const socket = connect(port, '127.0.0.1', () => socket.write(head));
        open.add(socket);
        // Any response ends the upload.
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
  // Ten at once, and again when they are answered.
  registry: ({ port, greedy }, signal) =>
    askOn(port, signal, 10, (count) => ({
      path: '/v1/admin/rule-sets/propose',
      token: greedy.adminToken,
      body: { rule_set: hostileRuleSets.naive({ carrierKey: `heavy_${count}`, seed: count }) },
    })),
  // Twice the tenant's quota. Each stream is closed after some seconds and opened again.
  'event streams': async ({ port, teams, greedy }, signal) => {
    const quoteOf = new Map<Team, string>();
    const createQuote = async (team: Team) => {
      const [request] = requestsOf({
        path: '/api/v1/quote/request',
        token: team.token,
        bodies: [JSON.stringify(greedy.quoteRequest)],
      });
      const connection = await Connection.open(port);
      const { status, body } = await connection.ask(request!);
      connection.close();
      if (status === 200)
        quoteOf.set(team, (JSON.parse(String(body)) as { quote_request_id: string }).quote_request_id);
    };
    const quoteOn = async (team: Team) => {
      while (!signal.aborted) {
        await createQuote(team).catch(() => {});
        await sleep(1_000, undefined, { signal }).catch(() => {});
      }
    };
    const open = new Set<Socket>();
    const follow = async (team: Team, index: number) => {
      while (!signal.aborted) {
        const quote = quoteOf.get(team);
        if (quote !== undefined) {
          const request = bytesOf('GET', `/api/v1/quote/${quote}/events`, { authorization: `Bearer ${team.token}` });
          const socket = connect(port, '127.0.0.1', () => socket.write(request));
          open.add(socket);
          socket.once('data', (data) => {
            if (!String(data).startsWith('HTTP/1.1 200')) socket.destroy();
          });
          socket.resume().on('error', () => {});
          const timer = setTimeout(() => socket.destroy(), 5_000 + (index % 100) * 100);
          await new Promise((resolve) => socket.once('close', resolve));
          clearTimeout(timer);
          open.delete(socket);
        }
        await sleep(1_000, undefined, { signal }).catch(() => {});
      }
    };
    signal.addEventListener('abort', () => {
      for (const socket of open) socket.destroy();
    });
    const followers = teams.flatMap((team) => Array.from({ length: 200 }, (_, index) => follow(team, index)));
    await Promise.all([...teams.map(quoteOn), ...followers]);
  },
  // Endpoints of each kind for each team; tests of them wait for the endpoint.
  webhooks: async ({ port, teams, greedy }, signal) => {
    const endpoints = await listenBadly();
    const ids: string[] = [];
    const setUp = await Connection.open(port);
    for (const path of [...badEndpointPaths, ...badEndpointPaths]) {
      for (const { teamId } of teams) {
        const body = { team_id: teamId, url: `http://127.0.0.1:${endpoints.port}/${path}` };
        const [request] = requestsOf({
          path: '/v1/admin/webhooks/create',
          token: greedy.adminToken,
          bodies: [JSON.stringify(body)],
        });
        const answer = await setUp.ask(request!);
        if (answer.status !== 200) throw new Error(`webhooks: ${answer.status} ${answer.body}`);
        ids.push((JSON.parse(String(answer.body)) as { webhook_id: string }).webhook_id);
      }
    }
    setUp.close();
    await Promise.all([
      askOn(port, signal, 16, (count) => ({
        path: '/api/v1/quote/request',
        token: teams[count % teams.length]!.token,
        body: greedy.quoteRequest,
      })),
      askOn(port, signal, 16, (count) => ({
        path: '/v1/admin/webhooks/test',
        token: greedy.adminToken,
        body: { webhook_id: ids[count % ids.length] },
      })),
    ]).finally(() => endpoints.close());
  },
  callbacks: ({ port }, signal) =>
    askOn(port, signal, 32, (count) => callbacks[count % callbacks.length]!, {
      pauseMs: WITHOUT_TOKEN_PAUSE_MS,
      addresses,
    }),
  'without a token': async ({ port }, signal) => {
    const page = await (await fetch(`http://127.0.0.1:${port}/`)).text();
    const files = [...page.matchAll(/(?:src|href)="(?:\.\/|\/)?(workbench\/[^"]+)"/g)].map(([, file]) =>
      bytesOf('GET', `/${file}`),
    );
    const requests = [...withoutToken, ...badTokens, ...files];
    await askOn(port, signal, 32, (count) => requests[count % requests.length]!, {
      pauseMs: WITHOUT_TOKEN_PAUSE_MS,
      addresses,
    });
  },
};
