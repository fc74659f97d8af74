import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A call: accepted, repeated (a known key), or refused without work. */
export type LedgerEntry = {
  readonly at: string;
  readonly call: 'accepted' | 'repeated' | 'refused';
  readonly carrier_key: string;
  readonly rate_id: string;
  readonly idempotency_key: string;
  readonly form_type: string;
  readonly answer: string;
};

/** JSON lines in a file that any number of processes may write. */
export interface Ledger {
  append(entry: LedgerEntry): Promise<void>;
  findAccepted(idempotencyKey: string): Promise<LedgerEntry | undefined>;
}

export function openLedger(path: string): Ledger {
  const accepted = new Map<string, LedgerEntry>();
  let readUpTo = 0;
  let rest = '';
  let turn: Promise<unknown> = Promise.resolve();
  let folder: Promise<unknown> | undefined;

  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = turn.then(work);
    turn = done.catch(() => {});
    return done;
  };
  const catchUp = async () => {
    const file = await open(path, 'a+', 0o600);
    try {
      const { size } = await file.stat();
      const buffer = Buffer.alloc(Math.max(0, size - readUpTo));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, readUpTo);
      readUpTo += bytesRead;
      const lines = (rest + buffer.toString('utf8', 0, bytesRead)).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const entry = parseLine(line);
        if (entry?.call === 'accepted') accepted.set(entry.idempotency_key, entry);
      }
    } finally {
      await file.close();
    }
  };
  const makeFolder = () => {
    folder ??= mkdir(dirname(path), { recursive: true });
    return folder;
  };
  return {
    async append(entry) {
      await makeFolder();
      // One write in append mode keeps lines of several processes apart.
      const file = await open(path, 'a', 0o600);
      try {
        await file.write(`${JSON.stringify(entry)}\n`);
      } finally {
        await file.close();
      }
    },
    findAccepted: (idempotencyKey) =>
      inTurn(async () => {
        await makeFolder();
        await catchUp();
        return accepted.get(idempotencyKey);
      }),
  };
}

function parseLine(line: string): LedgerEntry | undefined {
  try {
    return line === '' ? undefined : (JSON.parse(line) as LedgerEntry);
  } catch {
    return undefined;
  }
}
