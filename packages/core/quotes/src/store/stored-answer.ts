import type { JsonObject, Micros } from '@leeward/terms';
import type {
  AmountLine,
  CarrierDocument,
  CarrierMessage,
  ComparedTerm,
  OpenRequirement,
  RateType,
} from '../ports/carrier-adapter.ts';
import type { Outcome } from '../ports/outcome.ts';

import { ErasedKeyError, type FieldCipher, KeysUnavailableError } from './field-cipher.ts';

/** `quoted`, and `referred` with a premium, are successes. */
export function statusOf(outcome: Outcome, hasPremium: boolean): 'success' | 'error' {
  return outcome === 'quoted' || (outcome === 'referred' && hasPremium) ? 'success' : 'error';
}

export interface StoredDocument {
  readonly id: string;
  readonly title: string;
  readonly mediaType: string;
  /** Encrypted like fields; returned only by `readDocument`. */
  readonly reference?: Pick<CarrierDocument, 'url' | 'keep'> | undefined;
}

export interface StoredAnswer {
  readonly carrierQuoteNumber?: string | undefined;
  readonly carrierQuoteUrl?: string | undefined;
  readonly bridgeUrl?: string | undefined;
  readonly messages?: readonly CarrierMessage[] | undefined;
  readonly coverages?: readonly AmountLine[] | undefined;
  readonly deductibles?: readonly AmountLine[] | undefined;
  readonly endorsements?: readonly AmountLine[] | undefined;
  readonly fees?: readonly AmountLine[] | undefined;
  readonly constraints?: readonly ComparedTerm[] | undefined;
  readonly expiresAt?: Micros | undefined;
  readonly rateType?: RateType | undefined;
  readonly subjectTo?: readonly OpenRequirement[] | undefined;
  readonly documents?: readonly StoredDocument[] | undefined;
  readonly error?: { readonly code: string; readonly message: string } | undefined;
}

type StoredLine = Omit<AmountLine, 'amountCents'> & { readonly amountCents?: string | undefined };
type SealedDocument = Omit<StoredDocument, 'reference'> & { readonly sealed: string };
type AnswerJson = Omit<StoredAnswer, 'coverages' | 'deductibles' | 'endorsements' | 'fees' | 'documents'> & {
  readonly [Key in 'coverages' | 'deductibles' | 'endorsements' | 'fees']?: readonly StoredLine[];
} & { readonly documents?: readonly SealedDocument[] };

/**
 * Cents are strings, because JSON numbers are not exact. References are sealed for their document, not their rate, so that a requote can
 * copy the answer.
 */
export async function formatAnswer(answer: StoredAnswer, teamId: string, cipher: FieldCipher): Promise<string> {
  const documents =
    answer.documents &&
    (await Promise.all(
      answer.documents.map(async ({ reference = {}, ...document }) => ({
        ...document,
        sealed: await cipher.seal(teamId, reference as JsonObject, sealedFor(document.id)),
      })),
    ));
  return JSON.stringify({ ...answer, documents }, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}

export function parseAnswer(text: string | null): StoredAnswer | undefined {
  if (text === null) return undefined;
  const { coverages, deductibles, endorsements, fees, documents, ...rest } = JSON.parse(text) as AnswerJson;
  return {
    ...rest,
    coverages: lines(coverages),
    deductibles: lines(deductibles),
    ...(endorsements && { endorsements: lines(endorsements) }),
    fees: lines(fees),
    documents: documents?.map(({ sealed, ...document }) => document),
  };
}

export async function openDocument(
  text: string | null,
  id: string,
  cipher: FieldCipher,
): Promise<StoredDocument | 'erased' | 'unreadable' | undefined> {
  const { documents = [] } = text === null ? {} : (JSON.parse(text) as AnswerJson);
  const entry = documents.find((each) => each.id === id);
  if (entry === undefined) return undefined;
  const { sealed, ...document } = entry;
  const reference = await openSealed(cipher, sealed, sealedFor(id));
  return typeof reference === 'string' ? reference : { ...document, reference };
}

/** @throws {KeysUnavailableError} */
export async function openSealed(
  cipher: FieldCipher,
  stored: string,
  boundTo: string,
): Promise<JsonObject | 'erased' | 'unreadable'> {
  try {
    return await cipher.open(stored, boundTo);
  } catch (error) {
    if (error instanceof KeysUnavailableError) throw error;
    return error instanceof ErasedKeyError ? 'erased' : 'unreadable';
  }
}

/** @throws if a reference cannot be decrypted. */
export async function rewriteDocuments(
  text: string,
  rewrite: (sealed: string, boundTo: string) => Promise<string>,
): Promise<string> {
  const answer = JSON.parse(text) as AnswerJson;
  const documents = await Promise.all(
    (answer.documents ?? []).map(async (document) => ({
      ...document,
      sealed: await rewrite(document.sealed, sealedFor(document.id)),
    })),
  );
  return JSON.stringify({ ...answer, documents });
}

export function dropDocuments(text: string): string {
  const { documents: _, ...answer } = JSON.parse(text) as AnswerJson;
  return JSON.stringify(answer);
}

function sealedFor(documentId: string): string {
  return `document ${documentId}`;
}

function lines(stored: readonly StoredLine[] | undefined): AmountLine[] | undefined {
  return stored?.map(({ amountCents, ...line }) =>
    amountCents === undefined ? line : { ...line, amountCents: BigInt(amountCents) },
  );
}
