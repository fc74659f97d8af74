/** Half of a SHA-256: too long for another entry with the same half to be made. */
const BYTES = 16;
const MIN_LENGTH = 16;

/** Hashes of consecutive entries. */
interface Run {
  readonly first: number;
  count: number;
  bytes: Buffer;
}

/** The hashes of a chain, to compare repeated entries with: 16 bytes each. */
export interface ChainHashes {
  /** Sequences rise, with gaps where entries are missing. */
  append(sequence: number, hash: string): void;
  /** Undefined if there is no entry with this sequence. */
  isAt(sequence: number, hash: string): boolean | undefined;
}

export function createChainHashes(): ChainHashes {
  const runs: Run[] = [];
  return {
    append(sequence, hash) {
      let run = runs.at(-1);
      if (run === undefined || sequence !== run.first + run.count) {
        run = { first: sequence, count: 0, bytes: Buffer.alloc(MIN_LENGTH * BYTES) };
        runs.push(run);
      }
      const start = run.count * BYTES;
      if (start === run.bytes.length) run.bytes = Buffer.concat([run.bytes, Buffer.alloc(start)]);
      run.bytes.write(hash.slice(0, 2 * BYTES), start, 'hex');
      run.count++;
    },
    isAt(sequence, hash) {
      const run = runs.findLast(({ first }) => first <= sequence);
      if (run === undefined || sequence >= run.first + run.count) return undefined;
      const start = (sequence - run.first) * BYTES;
      return run.bytes.toString('hex', start, start + BYTES) === hash.slice(0, 2 * BYTES);
    },
  };
}
