import type { Answer } from '../operation/operation.ts';
import { Problem } from './problem.ts';
import { problemDocument } from './problem-document.ts';

/** Whatever was thrown, as a problem: what we did not throw on purpose tells the caller nothing of itself. */
export function asProblem(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  return new Problem('internal_error', 'Something failed here; it was written down under this request_id.', {
    cause: thrown,
  });
}

export function problemAnswer(problem: Problem, requestId: string): Answer {
  return {
    status: problem.status,
    body: problemDocument(problem, requestId),
    contentType: 'application/problem+json',
    ...(problem.options.headers === undefined ? {} : { headers: problem.options.headers }),
  };
}
