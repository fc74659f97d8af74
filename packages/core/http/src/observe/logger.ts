import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import { redacted } from '../redaction/redacted.ts';
import { createGatheringDestination } from './gathering-destination.ts';
import { RequestLine } from './request-line.ts';

/** How much is logged, and where to. */
export interface LogOptions {
  /** Default `info`; `silent` for none. */
  readonly level?: string;
  /** Default standard output, the lines of ten milliseconds at once. */
  readonly destination?: DestinationStream | undefined;
}

/** One for all loggers, made with the first: their lines go out together and in order. */
let standardOutput: DestinationStream | undefined;

/** A pino logger whose every line goes through `redacted`: JSON, a line each, time in ISO 8601. */
export function createLogger(options: LogOptions = {}): Logger {
  const settings: LoggerOptions = {
    level: options.level ?? 'info',
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: {
      level: (level) => ({ level }),
      log: (fields) => (fields instanceof RequestLine ? fields : redacted(fields)) as Record<string, unknown>,
    },
    // Errors are told by `redacted`, which knows what may be said of them.
    serializers: { err: (error: unknown) => error },
  };
  if (options.destination !== undefined) return pino(settings, options.destination);
  standardOutput ??= createGatheringDestination(1);
  return pino(settings, standardOutput);
}
