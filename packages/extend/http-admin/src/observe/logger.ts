import { writeSync } from 'node:fs';
import { RequestLine, redacted } from '@leeward/http';
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';

/** Level and destination of log lines. */
export interface LogOptions {
  /** A level of pino, or `silent`. @default 'info' */
  readonly level?: string;
  /** If omitted, standard output, in batches of ten milliseconds. */
  readonly destination?: DestinationStream | undefined;
}

/** Keeps the order of lines. */
let standardOutput: DestinationStream | undefined;

/**
 * A pino logger that redacts every line. JSON, times in ISO 8601.
 *
 * @example
 * createLeeward({ directory, logger: createLogger() });
 */
export function createLogger(options: LogOptions = {}): Logger {
  const settings: LoggerOptions = {
    level: options.level ?? 'info',
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: {
      level: (level) => ({ level }),
      log: (fields) => (fields instanceof RequestLine ? fields : redacted(fields)) as Record<string, unknown>,
    },
    // `redacted` converts errors; pino would add fields.
    serializers: { err: (error: unknown) => error },
  };
  if (options.destination !== undefined) return pino(settings, options.destination);
  standardOutput ??= createGatheringDestination(1);
  return pino(settings, standardOutput);
}

/** In ms. */
const GATHERING_MS = 10;
/** Characters per write. */
const MAX_HELD = 16 * 1024;
const RETRY_MS = 5;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

/**
 * Writes the lines of ten milliseconds at once, since a write costs more than a line. The rest is written at exit. If the reader of a
 * pipe has gone, lines are lost and the service continues.
 */
function createGatheringDestination(descriptor: number): DestinationStream {
  let buffer = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const text = buffer;
    buffer = '';
    if (text !== '') writeWhole(descriptor, Buffer.from(text));
  };
  process.on('exit', flush);
  return {
    write(line) {
      buffer += line;
      if (buffer.length >= MAX_HELD) flush();
      else timer ??= setTimeout(flush, GATHERING_MS).unref();
    },
  };
}

function writeWhole(descriptor: number, bytes: Buffer): void {
  for (let from = 0; from < bytes.length; ) {
    try {
      from += writeSync(descriptor, bytes, from);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
      Atomics.wait(sleeper, 0, 0, RETRY_MS);
    }
  }
}
