import type { JsonObject } from '@leeward/terms';
import type { AmountLine } from '../ports/carrier-adapter.ts';
import type { StoredAnswer, StoredDocument } from '../ports/quote-store.ts';
import type { FieldCipher } from './field-cipher.ts';

type StoredLine = Omit<AmountLine, 'amountCents'> & { readonly amountCents: string };
type SealedDocument = Omit<StoredDocument, 'reference'> & { readonly sealed: string };
type AnswerJson = Omit<StoredAnswer, 'coverages' | 'deductibles' | 'fees' | 'documents'> & {
  readonly [Key in 'coverages' | 'deductibles' | 'fees']?: readonly StoredLine[];
} & { readonly documents?: readonly SealedDocument[] };

/**
 * An answer as JSON text; cents as strings of digits, because JSON numbers are not exact, and references of documents
 * sealed. They are bound to their document, not to their rate: a quote that is made again takes its answers over.
 */
export function formatAnswer(answer: StoredAnswer, cipher: FieldCipher): string {
  const documents = answer.documents?.map(({ reference = {}, ...document }) => ({
    ...document,
    sealed: cipher.seal(reference as JsonObject, sealedFor(document.id)),
  }));
  return JSON.stringify({ ...answer, documents }, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}

export function parseAnswer(text: string | null): StoredAnswer | undefined {
  if (text === null) return undefined;
  const { coverages, deductibles, fees, documents, ...rest } = JSON.parse(text) as AnswerJson;
  return {
    ...rest,
    coverages: lines(coverages),
    deductibles: lines(deductibles),
    fees: lines(fees),
    documents: documents?.map(({ sealed, ...document }) => document),
  };
}

/** One document of an answer with its reference. */
export function openDocument(
  text: string | null,
  id: string,
  cipher: FieldCipher,
): StoredDocument | 'unreadable' | undefined {
  const { documents = [] } = text === null ? {} : (JSON.parse(text) as AnswerJson);
  const found = documents.find((each) => each.id === id);
  if (found === undefined) return undefined;
  const { sealed, ...document } = found;
  try {
    return { ...document, reference: cipher.open(sealed, sealedFor(id)) };
  } catch {
    return 'unreadable';
  }
}

/** An answer as it is stored, with the references of its documents sealed under the current key. @throws where one cannot be read. */
export function resealDocuments(text: string, cipher: FieldCipher): string {
  const answer = JSON.parse(text) as AnswerJson;
  const documents = answer.documents?.map((document) => {
    const boundTo = sealedFor(document.id);
    return { ...document, sealed: cipher.seal(cipher.open(document.sealed, boundTo), boundTo) };
  });
  return JSON.stringify({ ...answer, documents });
}

/** An answer as it is stored, without its documents. */
export function dropDocuments(text: string): string {
  const { documents: _, ...answer } = JSON.parse(text) as AnswerJson;
  return JSON.stringify(answer);
}

function sealedFor(documentId: string): string {
  return `document ${documentId}`;
}

function lines(stored: readonly StoredLine[] | undefined): AmountLine[] | undefined {
  return stored?.map((line) => ({ ...line, amountCents: BigInt(line.amountCents) }));
}
