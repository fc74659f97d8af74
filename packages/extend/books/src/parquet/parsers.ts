import { msOf } from '../source/instants.ts';
import { DEFAULT_PARSERS } from './hyparquet-internals.ts';

/** Hyparquet rounds instants before 1970 up, and moments after midnight to midnight. */
export const parsers: typeof DEFAULT_PARSERS = {
  ...DEFAULT_PARSERS,
  timestampFromMicroseconds: (micros: bigint) => new Date(msOf(micros, 1000n)),
  timestampFromNanoseconds: (nanos: bigint) => new Date(msOf(nanos, 1_000_000n)),
};
