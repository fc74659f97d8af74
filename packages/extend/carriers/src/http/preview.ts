import type { CarrierAnswer, CarrierRequest } from '@leeward/quotes';
import type { JsonObject } from '@leeward/terms';
import { type ReadDocument, readDocument, writeDocument } from './dialect/document.ts';
import { createExchange, type Exchange } from './exchange.ts';
import { readFirstAnswer } from './job.ts';
import { answerMissing, missingValues } from './missing-fields.ts';
import { createCarrierCredentials } from './record-exchange.ts';
import type { HttpCarrierFile } from './schema.ts';
import { lookUp } from './template.ts';
import { valuesOf } from './values-of.ts';

/** Input of a preview. */
export interface HttpCarrierTrial {
  readonly request: CarrierRequest;
  /** A sample answer. @default none */
  readonly answer?:
    | {
        readonly status: number;
        /** Bytes are decoded like an answer's. */
        readonly text: string | Uint8Array;
        readonly headers?: Headers | undefined;
      }
    | undefined;
}

/** Secrets appear as `${NAME}`, values of steps as their names. */
export interface HttpCarrierPreview {
  /** If required values are missing, nothing would be sent. */
  readonly unsent?: CarrierAnswer | undefined;
  readonly sent?:
    | {
        readonly method: string;
        readonly url: string;
        readonly headers: Readonly<Record<string, string>>;
        readonly body: string;
      }
    | undefined;
  /** For a carrier with a dialect. */
  readonly readBack?: ReadDocument | undefined;
  /** The sample answer, converted. */
  readonly answer?: CarrierAnswer | undefined;
}

/** Sends nothing; secrets are their names. */
export function offlineExchange(file: HttpCarrierFile): Exchange {
  const credentials = createCarrierCredentials((name) => `\${${name}}`, undefined);
  const auth = { headers: async () => ({}), refused: () => false };
  return createExchange(file, { auth, credentials, fetch: globalThis.fetch });
}

/**
 * Shows the request and the conversion of a sample answer; makes no network calls. @throws {CarrierFault} if a value cannot be sent, or
 * the sample is invalid.
 * @example
 * previewHttpCarrier(carrier, { request }).sent?.body;
 */
export function previewHttpCarrier(file: HttpCarrierFile, { request, answer }: HttpCarrierTrial): HttpCarrierPreview {
  const exchange = offlineExchange(file);
  const steps = Object.fromEntries(
    (file.steps ?? []).map(({ id, take }) => [
      id,
      Object.fromEntries(Object.keys(take).map((name) => [name, `steps.${id}.${name}`])),
    ]),
  );
  const values: JsonObject = { ...valuesOf(request, request.rateId), steps };
  const document = file.dialect && writeDocument(file.dialect, values, lookUp);
  if (document !== undefined && 'answer' in document) return { unsent: document.answer };
  const missing = missingValues(file.request.body, values);
  if (missing.length > 0) return { unsent: answerMissing(missing) };
  const { method, url, headers, body = '' } = exchange.fill(file.request, values, document?.text);
  return {
    sent: { method, url, headers: Object.fromEntries(headers), body },
    readBack: file.dialect && readDocument(file.dialect, body),
    answer: answer && readFirstAnswer(exchange.read(answer), file, { url, idempotencyKey: request.rateId, steps: {} }),
  };
}
