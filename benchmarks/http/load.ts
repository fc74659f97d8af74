import { connect, type Socket } from 'node:net';
import type { Asked } from './asked.ts';

export interface LoadResult {
  /** Milliseconds of each answer with status 200, as they came. */
  readonly answeredMs: readonly number[];
  /** Answers by status. */
  readonly statuses: ReadonlyMap<number, number>;
  readonly seconds: number;
}

interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

/** One connection that is kept alive: one request after another, its answers read by `content-length`. */
export class Connection {
  readonly #socket: Socket;
  #chunks: Buffer[] = [];
  #received = 0;
  #wanted = -1;
  #status = 0;
  #headLength = 0;
  #done: ((answer: Answer) => void) | undefined;
  #failed: ((error: Error) => void) | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('error', (error) => this.#failed?.(error));
    socket.on('close', () => this.#failed?.(new Error('The server closed the connection.')));
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      socket.once('connect', () => resolve(new Connection(socket)));
      socket.once('error', reject);
    });
  }

  ask(request: Buffer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#done = resolve;
      this.#failed = reject;
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#failed = undefined;
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#received += chunk.length;
    if (this.#wanted < 0) {
      const all = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks);
      this.#chunks = [all];
      const end = all.indexOf('\r\n\r\n');
      if (end < 0) return;
      const head = all.toString('latin1', 0, end);
      this.#status = Number(head.slice(9, 12));
      this.#headLength = end + 4;
      const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
      if (length === undefined) throw new Error(`An answer without its length:\n${head}`);
      this.#wanted = this.#headLength + Number(length);
    }
    if (this.#received < this.#wanted) return;
    const answer = { status: this.#status, body: Buffer.concat(this.#chunks).subarray(this.#headLength) };
    this.#chunks = [];
    this.#received = 0;
    this.#wanted = -1;
    this.#done?.(answer);
  }
}

/** The bytes of each request, written once. */
export function requestsOf({ path, token, bodies }: Omit<Asked, 'name'>): readonly Buffer[] {
  return bodies.map((body) =>
    Buffer.from(
      [
        `POST ${path} HTTP/1.1`,
        'host: 127.0.0.1',
        `authorization: Bearer ${token}`,
        'content-type: application/json',
        `content-length: ${Buffer.byteLength(body)}`,
        '',
        body,
      ].join('\r\n'),
    ),
  );
}

/** So many requests over so many connections, each asking again as soon as it is answered. */
export async function askInTurn(
  port: number,
  requests: readonly Buffer[],
  count: number,
  connections: number,
): Promise<LoadResult> {
  const open = await Promise.all(Array.from({ length: connections }, () => Connection.open(port)));
  const answeredMs: number[] = [];
  const statuses = new Map<number, number>();
  let begun = 0;
  const start = performance.now();
  await Promise.all(
    open.map(async (connection) => {
      while (begun < count) {
        const request = requests[begun++ % requests.length]!;
        const asked = performance.now();
        const { status } = await connection.ask(request);
        if (status === 200) answeredMs.push(performance.now() - asked);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  for (const connection of open) connection.close();
  return { answeredMs, statuses, seconds };
}

/**
 * So many requests a second, whether or not the earlier ones are answered, as the world does. Those for which no
 * connection is free wait at the client, and their time counts from when they were due.
 */
export async function askAtRate(
  port: number,
  requests: readonly Buffer[],
  perSecond: number,
  seconds: number,
  connections: number,
  onConnected: () => void = () => {},
): Promise<LoadResult> {
  const free = await Promise.all(Array.from({ length: connections }, () => Connection.open(port)));
  const all = [...free];
  onConnected();
  const answeredMs: number[] = [];
  const statuses = new Map<number, number>();
  const due: number[] = [];
  const underWay = new Set<Promise<void>>();
  let sent = 0;
  const send = () => {
    while (due.length > 0 && free.length > 0) {
      const dueMs = due.shift()!;
      const connection = free.pop()!;
      const work = connection.ask(requests[sent++ % requests.length]!).then(({ status }) => {
        if (status === 200) answeredMs.push(performance.now() - dueMs);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        free.push(connection);
        underWay.delete(work);
        send();
      });
      underWay.add(work);
    }
  };
  const start = performance.now();
  let planned = 0;
  while (performance.now() - start < seconds * 1000) {
    const target = ((performance.now() - start) / 1000) * perSecond;
    for (; planned < target; planned++) due.push(start + (planned / perSecond) * 1000);
    send();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  while (underWay.size > 0 || due.length > 0) await Promise.all(underWay);
  const took = (performance.now() - start) / 1000;
  for (const connection of all) connection.close();
  return { answeredMs, statuses, seconds: took };
}

/** The value below which a share of all lie. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
