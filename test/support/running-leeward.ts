import './checked-fetch.ts';
import { resolve } from 'node:path';

export const workspace = resolve(import.meta.dirname, '../..');

/** Output and exit of a command. */
export interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** A running command line, in a separate process or in this one. */
export interface RunningLeeward {
  /** Standard output so far. */
  output(): string;
  /** Standard error so far. */
  errors(): string;
  /** Resolves once standard output holds the text; rejects when the command ends without. */
  says(text: string | RegExp): Promise<void>;
  readonly ended: Promise<Ended>;
  /** Requests a stop, as SIGTERM does, and resolves after the exit. */
  stop(): Promise<Ended>;
}

export interface StartOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Default the workspace. */
  readonly folder?: string;
}

export function holds(output: string, text: string | RegExp): boolean {
  return typeof text === 'string' ? output.includes(text) : text.test(output);
}
