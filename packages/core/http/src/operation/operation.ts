import type { Answer } from '../answer/answer.ts';
import type { ProblemCode } from '../problem/problem.ts';
import type { GuardedContext, RequestContext } from './request-context.ts';

/** JSON Schema (2020-12). */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A JSON body, for the document. */
export interface ContentText {
  /** Name of the schema among the components; an `id` of the schema takes precedence. */
  readonly name: string;
  readonly schema: JsonSchema;
  readonly examples?: Examples;
}

/** Examples of a body, by name. */
export type Examples = Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;

/** A header field of a request, for the document. */
export interface HeaderText {
  readonly description: string;
  readonly schema: JsonSchema;
}

/** An answer without a problem, for the document. */
export interface AnswerText {
  readonly description: string;
  /** A JSON body, or the media type of another body. */
  readonly content?: ContentText | string;
  /** Examples of a body that is not JSON. */
  readonly examples?: Examples;
}

/** The text of an operation in the document. */
export interface OperationText {
  readonly method: 'get' | 'post';
  /** Path template of OpenAPI: `/v1/underwrite/home/{organization_id}`. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: Readonly<Record<string, { readonly description: string; readonly example?: string }>>;
  /** Request header fields that only this operation reads, by name. */
  readonly headers?: Readonly<Record<string, HeaderText>>;
  /** By status. */
  readonly answers: Readonly<Record<number, AnswerText>>;
  /** Further problems, in addition to those of the guards. */
  readonly problems?: readonly ProblemCode[];
}

/** An operation without a body, for anyone, for any valid token, or for the operator. */
export interface OpenOperation extends OperationText {
  readonly access: 'anyone' | 'token' | 'operator';
  /** Exempt from the limit of an address, for load balancers. */
  readonly isUnlimited?: true;
  handle(context: RequestContext): Answer | Promise<Answer>;
}

/** An operation for messages that their sender has signed. */
export interface SignedOperation extends OperationText {
  readonly access: 'signed';
  readonly maxBodyBytes: number;
  /** Must verify the signature before it uses the body. */
  handle(context: RequestContext, body: Uint8Array): Answer | Promise<Answer>;
}

/** An operation for callers with one of the scopes. */
export interface GuardedOperation<Resource> extends OperationText {
  readonly access: { readonly scopes: readonly string[] };
  /** If omitted, no body is read. */
  readonly requestBody?: ContentText & { readonly optional?: true };
  /**
   * Finds the resource of the path, before the request is counted and its body read.
   *
   * @throws {Problem} `not_found` for a missing resource or another tenant's, `coming_soon` for an announced one
   */
  locate(context: GuardedContext): Resource | Promise<Resource>;
  /**
   * True if the resource of the path exists. For operations whose `locate` does not query the store: called before the request is
   * refused for another reason, so that a missing resource is always a 404.
   */
  isPresent?(context: GuardedContext<Resource>): Promise<boolean>;
  handle(context: GuardedContext<Resource>): Answer | Promise<Answer>;
}

/** Any operation. */
export type Operation = OpenOperation | SignedOperation | GuardedOperation<unknown>;

/**
 * Makes a guarded operation. The type parameter checks that `handle` takes the result of `locate`.
 *
 * @example
 * guarded<undefined>({ ...text, access: { scopes: ['admin'] }, locate: () => undefined, handle: () => ({ status: 200, body: {} }) });
 */
export function guarded<Resource>(operation: GuardedOperation<Resource>): Operation {
  return operation as GuardedOperation<unknown>;
}

/** Operations that are mounted together. */
export interface RouteGroup {
  /** The tag of its operations in the document. */
  readonly name: string;
  readonly description: string;
  readonly operations: readonly Operation[];
}
