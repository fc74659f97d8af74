import type { ContentText, JsonSchema } from '../operation/operation.ts';

export type Examples = NonNullable<ContentText['examples']>;

/** What readers of the document are told of an operation beside its schemas; what an operation says itself goes first. */
export interface OperationNote {
  readonly description?: string;
  /** Header fields of the request that mean something to this operation alone. */
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: JsonSchema }>>;
  /** Of path parameters, by name. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly request?: Examples;
  /** Of the answer where all went well. */
  readonly answer?: Examples;
}

export type OperationNotes = Readonly<Record<string, OperationNote>>;

/** One example, where there is no need for more. */
export function only(summary: string, value: unknown): Examples {
  return { example: { summary, value } };
}
