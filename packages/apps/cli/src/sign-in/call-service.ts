import { CommandError } from '../command-error.ts';

/** Answer of a service to a call about sign-in. */
export interface ServiceAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** A refusal of the service. */
export interface ServiceProblem {
  readonly code?: string;
  readonly detail?: string;
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
}

const ANSWER_MS = 30_000;

/** Posts JSON, or without a body sends GET. @throws {CommandError} if the service is unreachable. */
export async function callService(url: string, path: string, body?: object, token?: string): Promise<ServiceAnswer> {
  let response: Response;
  try {
    response = await fetch(`${url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      // Never send a token or a code to a redirect.
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
  } catch {
    throw new CommandError(`No service can be reached at ${url}. Is it running?`);
  }
  return { status: response.status, body: await response.json().catch(() => undefined) };
}

/** A refusal in words. */
export function describeProblem(url: string, { status, body }: ServiceAnswer): string {
  const { detail, code } = (body ?? {}) as ServiceProblem;
  return detail ?? code ?? `${url} is not a Leeward service (${status}).`;
}
