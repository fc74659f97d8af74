import { z } from 'zod';
import type { Answer } from '../answer/answer.ts';
import { withoutTokens } from '../redaction/redacted.ts';
import { Problem, type ProblemCode, problemKinds } from './problem.ts';

const codes = Object.keys(problemKinds) as [ProblemCode, ...ProblemCode[]];

/** RFC 9457. */
export const problemSchema = z
  .object({
    type: z.string().meta({
      description: 'Path of a page that explains the problem and the way out. Programs read `code`.',
    }),
    title: z.string(),
    status: z.int().min(400).max(599),
    detail: z.string().meta({ description: 'The cause, and the way out.' }),
    code: z.enum(codes),
    request_id: z.string().meta({ description: 'The answer’s `X-Request-Id`; quote it when you report a problem.' }),
    errors: z
      .array(
        z.object({
          path: z.string().meta({ description: 'JSON Pointer into the body; empty for the whole body.' }),
          code: z.string(),
          message: z.string(),
        }),
      )
      .optional()
      .meta({ description: 'All faults of the request.' }),
    checks: z
      .record(z.string(), z.enum(['ok', 'unavailable', 'unwritable', 'unreadable']))
      .optional()
      .meta({ description: 'For `/readyz`: the state of each part.' }),
    erased: z
      .array(z.string())
      .optional()
      .meta({ description: 'For an incomplete erasure: quote_request_id of each quote that was erased now.' }),
    unreadable: z
      .int()
      .optional()
      .meta({ description: 'For an incomplete erasure: number of quotes whose key is missing.' }),
    candidates: z
      .array(z.object({ address: z.string(), lat: z.number(), lng: z.number() }))
      .optional()
      .meta({ description: 'For an ambiguous address: the places that it fits.' }),
  })
  .meta({ id: 'Problem', description: 'Problem details (RFC 9457).' });

/** Problem details on the wire. */
export type ProblemDocument = z.infer<typeof problemSchema>;

/** Path of the page of a problem, relative to the request. */
export function problemType(code: ProblemCode, basePath: string): string {
  return `${basePath}/problems/${code}`;
}

export function problemDocument(problem: Problem, requestId: string, basePath: string): ProblemDocument {
  const { status, title } = problemKinds[problem.code];
  const { errors, members } = problem.options;
  const faults = errors?.map(({ path, code, message }) => ({
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
    ...(faults === undefined ? {} : { errors: faults }),
  };
}

/** Unexpected errors reveal nothing. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem('internal_error', 'An internal error occurred; the log has it under this request_id.', {
    cause: error,
  });
}

/** @param basePath Empty at the root, or without a service. */
export function problemAnswer(problem: Problem, requestId: string, basePath = ''): Answer {
  return {
    status: problem.status,
    body: problemDocument(problem, requestId, basePath),
    contentType: 'application/problem+json',
    ...(problem.options.headers === undefined ? {} : { headers: problem.options.headers }),
  };
}
