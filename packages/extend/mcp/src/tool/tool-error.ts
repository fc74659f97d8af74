import { isObject } from '@leeward/terms';
import type { ServiceAnswer } from '../service/service.ts';

/** A refusal that the model reads: its message names the way out. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

/** The body of a good answer. @throws {ToolError} The problem of any other, with all of its faults. */
export function bodyOf<Body>({ status, body }: ServiceAnswer): Body {
  if (status >= 200 && status < 300) return body as Body;
  const { code, detail, errors } = (isObject(body) ? body : {}) as {
    code?: unknown;
    detail?: unknown;
    errors?: unknown;
  };
  const faults = Array.isArray(errors) ? errors.filter(isObject) : [];
  const lines = faults.map(({ path, message }) => `- ${String(path).replace(/^\//, '')}: ${String(message)}`);
  const what = typeof detail === 'string' ? detail : `The service answered ${status}.`;
  throw new ToolError([`${typeof code === 'string' ? `${code}: ` : ''}${what}`, ...lines].join('\n'));
}
