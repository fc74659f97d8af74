import type { Answer } from '../answer/answer.ts';
import type { ProblemCode } from '../problem/problem.ts';
import type { GuardedContext, RequestContext } from './request-context.ts';

/** JSON Schema (2020-12), as OpenAPI 3.1 has it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** How a body looks, for the document. */
export interface ContentText {
  /** The name of its schema among the document's components. */
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

/** What the document says of an operation. */
export interface OperationText {
  readonly method: 'get' | 'post';
  /** Template as OpenAPI writes it: `/v1/underwrite/home/{organization_id}`. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: Readonly<Record<string, { readonly description: string; readonly example?: string }>>;
  /** Request header fields that only this operation reads, by name. */
  readonly headers?: Readonly<Record<string, HeaderText>>;
  /** By status. One without `content` has no body. */
  readonly answers: Readonly<Record<number, AnswerText>>;
  /** Problems of its own, beside those that its guards can end in. */
  readonly problems?: readonly ProblemCode[];
}

/** Open to all, to any valid token, or to the operator. Takes no body. */
export interface OpenOperation extends OperationText {
  readonly access: 'anyone' | 'token' | 'operator';
  /** Answered however often an address asks: what a balancer asks. */
  readonly isUnlimited?: true;
  handle(context: RequestContext): Answer | Promise<Answer>;
}

/** For messages that prove by a signature whom they are from. */
export interface SignedOperation extends OperationText {
  readonly access: 'signed';
  readonly maxBodyBytes: number;
  /** Believes nothing of the body before its signature is verified. */
  handle(context: RequestContext, body: Uint8Array): Answer | Promise<Answer>;
}

/** For callers with one of the scopes. */
export interface GuardedOperation<Found> extends OperationText {
  readonly access: { readonly scopes: readonly string[] };
  /** Left out where there is none to be read. */
  readonly requestBody?: ContentText & { readonly optional?: true };
  /**
   * Finds what the path names, before anything is counted or read. Throws a `Problem`: 404 for what is not there
   * or another tenant's, 501 for what is still to come.
   */
  locate(context: GuardedContext): Found | Promise<Found>;
  /**
   * True if the resource of the path exists. For operations whose `locate` does not query the store: called before the request is
   * refused for another reason, so that a missing resource is always a 404.
   */
  isPresent?(context: GuardedContext<Found>): Promise<boolean>;
  handle(context: GuardedContext<Found>): Answer | Promise<Answer>;
}

/** An operation whose `Found` is its own affair. */
export type Operation = OpenOperation | SignedOperation | GuardedOperation<unknown>;

/** Checks that `locate` and `handle` agree on what is found, then forgets it. */
export function guarded<Found>(operation: GuardedOperation<Found>): Operation {
  return operation as GuardedOperation<unknown>;
}

/** Some operations over the same ports: what a file of `routes/` makes. */
export interface RouteGroup {
  /** The tag its operations share in the document. */
  readonly name: string;
  readonly description: string;
  readonly operations: readonly Operation[];
}
