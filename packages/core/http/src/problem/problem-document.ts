import { z } from 'zod';
import type { Answer } from '../answer/answer.ts';
import { withoutTokens } from '../redaction/redacted.ts';
import { Problem, type ProblemCode, problemKinds } from './problem.ts';

const codes = Object.keys(problemKinds) as [ProblemCode, ...ProblemCode[]];

/** RFC 9457 problem details as this service writes them. */
export const problemSchema = z
  .object({
    type: z.string().meta({
      description:
        'Where this service says what the kind of problem means and what to do: a path. Programs look at `code`.',
    }),
    title: z.string(),
    status: z.int().min(400).max(599),
    detail: z.string().meta({ description: 'What happened this time, and the way out.' }),
    code: z.enum(codes),
    request_id: z.string().meta({ description: 'The answer’s `X-Request-Id`; name it when you ask for help.' }),
    errors: z
      .array(
        z.object({
          path: z.string().meta({ description: 'JSON Pointer into the body; empty for the whole.' }),
          code: z.string(),
          message: z.string(),
        }),
      )
      .optional()
      .meta({ description: 'Every fault of the request at once.' }),
    checks: z
      .record(z.string(), z.enum(['ok', 'unavailable', 'unwritable', 'unreadable']))
      .optional()
      .meta({ description: 'Of `/readyz`: how each part fares.' }),
    erased: z
      .array(z.string())
      .optional()
      .meta({ description: 'Of an erasure that is incomplete: quote_request_id of each quote that was erased now.' }),
    unreadable: z
      .int()
      .optional()
      .meta({ description: 'Of an erasure that is incomplete: quotes whose key is missing.' }),
    candidates: z
      .array(z.object({ address: z.string(), lat: z.number(), lng: z.number() }))
      .optional()
      .meta({ description: 'Of an address that fits several places: which.' }),
  })
  .meta({ id: 'Problem', description: 'Problem details (RFC 9457).' });

/** Problem details as they go over the wire. */
export type ProblemDocument = z.infer<typeof problemSchema>;

/** Where a service below a path says what a kind of problem means: a reference that RFC 9457 resolves against the request. */
export function problemType(code: ProblemCode, basePath: string): string {
  return `${basePath}/problems/${code}`;
}

export function problemDocument(problem: Problem, requestId: string, basePath: string): ProblemDocument {
  const { status, title } = problemKinds[problem.code];
  const { errors, members } = problem.options;
  const told = errors?.map(({ path, code, message }) => ({
    path: withoutTokens(path),
    code,
    message: withoutTokens(message),
  }));
  return {
    ...members,
    type: problemType(problem.code, basePath),
    title,
    status,
    detail: withoutTokens(problem.message),
    code: problem.code,
    request_id: requestId,
    ...(told === undefined ? {} : { errors: told }),
  };
}

/** Whatever was thrown, as a problem: what we did not throw on purpose tells the caller nothing of itself. */
export function asProblem(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  return new Problem('internal_error', 'Something failed here; it was written down under this request_id.', {
    cause: thrown,
  });
}

/** `basePath` is where the service is mounted; empty at the root, and where no service was found yet. */
export function problemAnswer(problem: Problem, requestId: string, basePath = ''): Answer {
  return {
    status: problem.status,
    body: problemDocument(problem, requestId, basePath),
    contentType: 'application/problem+json',
    ...(problem.options.headers === undefined ? {} : { headers: problem.options.headers }),
  };
}
