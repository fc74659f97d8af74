import { CommandError } from '../command-error.ts';
import type { Terminal } from '../terminal.ts';
import { postToService, RefusedByServiceError } from './quote-client.ts';
import { type ServerOptions, serviceUrl } from './quote-server.ts';

/** All failures are `CommandError`s. */
export function createOperatorClient(
  options: ServerOptions,
  terminal: Terminal,
): (path: string, body: object) => Promise<unknown> {
  const url = serviceUrl(options, terminal);
  const token = options.token ?? (terminal.environment['LEEWARD_OPERATOR_TOKEN'] || undefined);
  if (token === undefined) {
    throw new CommandError(`Give the operator's token of ${url}: LEEWARD_OPERATOR_TOKEN, or --token.`);
  }
  const post = postToService({ url, token }, meanings);
  return (path, body) =>
    post(path, body).catch((error: unknown) => {
      if (!(error instanceof RefusedByServiceError) || error.faults.length === 0) throw error;
      throw new CommandError(error.faults.map(({ message }) => message).join('\n'));
    });
}

const meanings: Readonly<Record<string, string>> = {
  unauthenticated:
    'The service does not take this token: it is not the LEEWARD_OPERATOR_TOKEN that it was started with.',
  forbidden: 'This token is not the operator’s; give the LEEWARD_OPERATOR_TOKEN of the service.',
  not_found: 'There is no such carrier there.',
};
