import type { ContentText, HeaderText } from '@leeward/http';

type Examples = NonNullable<ContentText['examples']>;

/** Text of an operation for the document: its description, own header fields and examples. */
export interface OperationNote {
  readonly description?: string;
  readonly headers?: Readonly<Record<string, HeaderText>>;
  readonly request?: Examples;
  readonly answer?: Examples;
}

/** By the name of the operation. */
export type OperationNotes = Readonly<Record<string, OperationNote>>;

/** A single example. */
export function only(summary: string, value: unknown): Examples {
  return { example: { summary, value } };
}
