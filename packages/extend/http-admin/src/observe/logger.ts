import { RequestLine, redacted } from '@leeward/http';
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import { createGatheringDestination } from './gathering-destination.ts';

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
