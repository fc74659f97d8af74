import './checked-fetch.ts';
import { resolve } from 'node:path';

export const workspace = resolve(import.meta.dirname, '../..');

/** What a command said and how it ended. */
export interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** A command line at work, in a process of its own or in this one. */
export interface RunningLeeward {
  /** What was written to standard output so far. */
  output(): string;
  /** What was written to standard error so far. */
  errors(): string;
  /** Resolves once standard output holds the text; rejects when the command ends without. */
  says(text: string | RegExp): Promise<void>;
  readonly ended: Promise<Ended>;
  /** Asks it to stop, as SIGTERM does, and resolves once it has. */
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
