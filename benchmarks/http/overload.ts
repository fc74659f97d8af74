import type { Row } from '../report.ts';
import type { Asked } from './asked.ts';
import { askAtRate, askInTurn, type LoadResult, percentile, requestsOf } from './load.ts';
import type { ServerProcess } from './server-process.ts';

const CONNECTIONS = 1_000;

/**
 * Half of the capacity, then twice, then half again. Every accepted request must be answered, every other must get 503,
 * and afterwards the service must behave as before.
 */
export async function measureOverload(server: ServerProcess, asked: Asked, seconds: number): Promise<Row[]> {
  const requests = requestsOf(asked);
  // Capacity now, under the current load of the machine.
  const capacity = 1_000 / (await askInTurn(server.port, requests, 1_000, 64)).seconds;
  const half = () => askAtRate(server.port, requests, capacity / 2, seconds, CONNECTIONS);
  const before = await half();
  let health: ReturnType<typeof askHealth> | undefined;
  const during = await askAtRate(server.port, requests, capacity * 2, seconds, CONNECTIONS, {
    onConnected: () => {
      health = askHealth(server.port);
    },
  });
  const healthMs = (await health?.stop()) ?? [];
  const after = await half();
  const strange = [before, during, after].flatMap(({ statuses }) =>
    [...statuses.keys()].filter((status) => status !== 200 && status !== 503),
  );
  if (strange.length > 0) throw new Error(`Answers with ${strange.join(', ')} under load.`);
  const unanswered = [before, during, after].reduce((sum, { unansweredMs }) => sum + unansweredMs.length, 0);
  if (unanswered > 0) throw new Error(`${unanswered} requests were not answered under load.`);
  const rows: Row[] = [];
  const add = (name: string, median: number, unit: string) => rows.push({ name, median, unit });
  for (const [name, load] of [
    ['half of what can be borne', before],
    ['twice what can be borne', during],
    ['half again, at once after', after],
  ] as const) {
    add(`${name}: answered`, (load.statuses.get(200) ?? 0) / load.seconds, '/s');
    add(`${name}: turned away`, (load.statuses.get(503) ?? 0) / load.seconds, '/s');
    add(`${name}: p99 of what was answered`, percentile(load.answeredMs, 0.99), 'ms');
  }
  add('twice what can be borne: /healthz, the slowest', Math.max(...healthMs), 'ms');
  return rows;
}

/** Requests /healthz ten times a second until stopped. */
function askHealth(port: number): { stop(): Promise<readonly number[]> } {
  const request = Buffer.from('GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
  let going = true;
  const all: number[] = [];
  const work = (async () => {
    while (going) {
      const { answeredMs }: LoadResult = await askInTurn(port, [request], 1, 1);
      if (answeredMs.length !== 1) throw new Error('/healthz was not answered.');
      all.push(answeredMs[0]!);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  return {
    async stop() {
      going = false;
      await work;
      return all;
    },
  };
}
