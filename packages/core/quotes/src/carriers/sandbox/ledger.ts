import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A call to the sandbox carrier: accepted, repeated (a known key), or refused without doing work. */
export type LedgerEntry = {
  readonly at: string;
  readonly call: 'accepted' | 'repeated' | 'refused';
  readonly carrier_key: string;
  readonly rate_id: string;
  readonly idempotency_key: string;
  readonly form_type: string;
  /** `sent`, or the simulated fault. */
  readonly answer: string;
};

/** A file of calls, one JSON object per line. Any number of processes may write it. */
export interface Ledger {
  /** Appends a line. Resolves when the line is in the file. */
  append(entry: LedgerEntry): Promise<void>;
  /** The call of any process that was accepted under this key. */
  findAccepted(idempotencyKey: string): Promise<LedgerEntry | undefined>;
}

/** Opens a ledger. Creates the file and its folder if they are missing. */
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
  /** Reads lines that other processes have appended. */
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
      // One write in append mode, so that lines of several processes do not mix.
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
