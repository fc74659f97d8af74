import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Asked } from './asked.ts';

export interface LoadResult {
  /** Milliseconds of each answer with status 200. */
  readonly answeredMs: readonly number[];
  /** Answers by status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Waiting time of unanswered requests, until the end or a closed connection. */
  readonly unansweredMs: readonly number[];
  readonly seconds: number;
}

interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

/** A kept-alive connection, one request at a time; reads answers by `content-length`. */
export class Connection {
  readonly #socket: Socket;
  #chunks: Buffer[] = [];
  #received = 0;
  #wanted = -1;
  #status = 0;
  #headLength = 0;
  #done: ((answer: Answer) => void) | undefined;
  #failed: ((error: Error) => void) | undefined;
  #isClosed = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('error', (error) => this.#failed?.(error));
    socket.on('close', () => {
      this.#isClosed = true;
      this.#failed?.(closedByServer());
    });
  }

  /** @param from the address that the server sees; default 127.0.0.1 */
  static open(port: number, from?: string): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const local = from === undefined ? {} : { localAddress: from };
      const socket = connect({ port, host: '127.0.0.1', noDelay: true, ...local });
      socket.once('connect', () => resolve(new Connection(socket)));
      socket.once('error', reject);
    });
  }

  ask(request: Buffer): Promise<Answer> {
    if (this.#isClosed) return Promise.reject(closedByServer());
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

function closedByServer(): Error {
  return new Error('The server closed the connection.');
}

export function requestsOf({ path, token, bodies }: Omit<Asked, 'name'>): readonly Buffer[] {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return bodies.map((body) => bytesOf('POST', path, headers, body));
}

export function bytesOf(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body: string | Buffer = '',
): Buffer {
  const head = [
    `${method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(method === 'GET' ? [] : [`content-length: ${Buffer.byteLength(body)}`]),
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), Buffer.from(body)]);
}

/** Sends `count` requests over `connections` connections, each sending the next request after an answer. */
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
  return { answeredMs, statuses, unansweredMs: [], seconds };
}

export interface AskOptions {
  readonly onConnected?: () => void;
  readonly patienceMs?: number;
}

/**
 * So many requests a second, whether or not the earlier ones are answered, as the world does. Those for which no
 * connection is free wait at the client, and their time counts from when they were due. At the end those that are not
 * answered are waited for as long as `patienceMs`; a connection that was closed is opened again.
 */
export async function askAtRate(
  port: number,
  requests: readonly Buffer[],
  perSecond: number,
  seconds: number,
  connections: number,
  { onConnected = () => {}, patienceMs = Number.POSITIVE_INFINITY }: AskOptions = {},
): Promise<LoadResult> {
  const free = await Promise.all(Array.from({ length: connections }, () => Connection.open(port)));
  const all = new Set(free);
  onConnected();
  const answeredMs: number[] = [];
  const statuses = new Map<number, number>();
  const due: number[] = [];
  const underWay = new Map<Promise<void>, number>();
  const unansweredMs: number[] = [];
  let sent = 0;
  const send = () => {
    while (due.length > 0 && free.length > 0) {
      const dueMs = due.shift()!;
      let connection = free.pop()!;
      const answered = ({ status }: Answer) => {
        if (status === 200) answeredMs.push(performance.now() - dueMs);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      };
      const request = requests[sent++ % requests.length]!;
      // The server may close an idle connection: repeat the request over another, within the same time.
      const askAgain = async () => {
        all.delete(connection);
        connection = await Connection.open(port);
        all.add(connection);
        answered(await connection.ask(request));
      };
      const work = connection
        .ask(request)
        .then(answered, askAgain)
        .catch(() => {
          unansweredMs.push(performance.now() - dueMs);
        })
        .then(() => {
          free.push(connection);
          underWay.delete(work);
          send();
        });
      underWay.set(work, dueMs);
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
  const patience = new AbortController();
  const isOver = Number.isFinite(patienceMs)
    ? sleep(patienceMs, undefined, { signal: patience.signal })
    : new Promise<void>(() => {});
  const isPatient = isOver.then(() => false);
  isPatient.catch(() => {});
  while (underWay.size > 0 || due.length > 0) {
    if (!(await Promise.race([Promise.all(underWay.keys()).then(() => true), isPatient]))) break;
  }
  patience.abort();
  for (const dueMs of [...underWay.values(), ...due]) unansweredMs.push(performance.now() - dueMs);
  const took = (performance.now() - start) / 1000;
  for (const connection of all) connection.close();
  return { answeredMs, statuses, unansweredMs, seconds: took };
}

/** Percentile. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
