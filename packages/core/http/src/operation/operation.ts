import type { Answer } from '../answer/answer.ts';
import type { ProblemCode } from '../problem/problem.ts';
import type { GuardedContext, RequestContext } from './request-context.ts';

/** JSON Schema (2020-12). */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A JSON body, for the document. */
export interface ContentText {
  /** An `id` of the schema takes precedence. */
  readonly name: string;
  readonly schema: JsonSchema;
  readonly examples?: Examples;
}

/** By name. */
export type Examples = Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;

/** A header field of a request, for the document. */
export interface HeaderText {
  readonly description: string;
  readonly schema: JsonSchema;
}

/** A good answer, for the document. */
export interface AnswerText {
  readonly description: string;
  /** A media type for bodies other than JSON. */
  readonly content?: ContentText | string;
  /** Other media types that the operation can answer with: `text/html`. @default [] */
  readonly otherTypes?: readonly string[];
  /** Media type of a body with a schema; for an event stream the schema is that of one event. @default 'application/json' */
  readonly mediaType?: string;
  /** For bodies other than JSON. */
  readonly examples?: Examples;
  /** True if the answer states its versions in `Leeward-Versions`. @default false */
  readonly isVersioned?: boolean;
}

/** Text for the document. */
export interface OperationText {
  readonly method: 'get' | 'post';
  /** Path template of OpenAPI: `/v1/underwrite/home/{organization_id}`. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: Readonly<Record<string, { readonly description: string; readonly example?: string }>>;
  /** By name; only those of this operation. */
  readonly headers?: Readonly<Record<string, HeaderText>>;
  /** By status. */
  readonly answers: Readonly<Record<number, AnswerText>>;
  /** In addition to those of the guards. */
  readonly problems?: readonly ProblemCode[];
}

/** For anyone, any valid token, or the operator. */
export interface OpenOperation extends OperationText {
  readonly access: 'anyone' | 'token' | 'operator';
  /** Exempt from the limit per address. */
  readonly isUnlimited?: true;
  /** Up to 16 KiB, only for `anyone`. If omitted, no body is read. */
  readonly requestBody?: ContentText;
  handle(context: RequestContext): Answer | Promise<Answer>;
}

/** For messages signed by their sender. */
export interface SignedOperation extends OperationText {
  readonly access: 'signed';
  readonly maxBodyBytes: number;
  /** Verifies the signature before it uses the body. */
  handle(context: RequestContext, body: Uint8Array): Answer | Promise<Answer>;
}

/** An operation for callers with one of the scopes. */
export interface GuardedOperation<Resource> extends OperationText {
  readonly access: { readonly scopes: readonly string[] };
  /** If omitted, no body is read. */
  readonly requestBody?: ContentText & { readonly optional?: true };
  /**
   * Finds the resource before the request is counted and its body read.
   *
   * @throws {Problem} `not_found`, also for other tenants' resources; `coming_soon`
   */
  locate(context: GuardedContext): Resource | Promise<Resource>;
  /** For operations whose `locate` does not query the store: called before another refusal, so that a missing resource is always a 404. */
  isPresent?(context: GuardedContext<Resource>): Promise<boolean>;
  handle(context: GuardedContext<Resource>): Answer | Promise<Answer>;
}

/** Any operation. */
export type Operation = OpenOperation | SignedOperation | GuardedOperation<unknown>;

/** undefined for operations without a JSON body. */
export function requestBodyOf(operation: Operation): GuardedOperation<unknown>['requestBody'] {
  return 'requestBody' in operation ? operation.requestBody : undefined;
}

/**
 * Makes a guarded operation. Checks that `handle` takes the result of `locate`.
 *
 * @example
 * guarded<undefined>({ ...text, access: { scopes: ['admin'] }, locate: () => undefined, handle: () => ({ status: 200, body: {} }) });
 */
export function guarded<Resource>(operation: GuardedOperation<Resource>): Operation {
  return operation as GuardedOperation<unknown>;
}

/** Operations that are mounted together. */
export interface RouteGroup {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly Operation[];
}
