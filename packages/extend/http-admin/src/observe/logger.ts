import { RequestLine, redacted } from '@leeward/http';
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import { createGatheringDestination } from './gathering-destination.ts';

/** Level and destination of log lines. */
export interface LogOptions {
  /** One of pino's levels; `silent` writes nothing. @default 'info' */
  readonly level?: string;
  /** If omitted, standard output, where the lines of ten milliseconds are written together. */
  readonly destination?: DestinationStream | undefined;
}

/** Shared by all loggers, so that their lines stay in order. */
let standardOutput: DestinationStream | undefined;

/**
 * Makes a pino logger that redacts every line: JSON lines with the time in ISO 8601.
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
