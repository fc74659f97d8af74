import type { CarrierAnswer, CarrierRequest } from '@leeward/quotes';
import type { JsonObject } from '@leeward/terms';
import { type ReadDocument, readDocument, writeDocument } from './dialect/document.ts';
import { createExchange } from './exchange.ts';
import { readFirstAnswer } from './job.ts';
import { answerMissing, missingValues } from './missing-fields.ts';
import type { HttpCarrierFile } from './schema.ts';
import { lookUp } from './template.ts';
import { valuesOf } from './values-of.ts';

/** What is asked of a carrier's file without asking the carrier. */
export interface HttpCarrierTrial {
  readonly request: CarrierRequest;
  /** An answer as the carrier would give it. Default: none is read. */
  readonly answer?:
    | {
        readonly status: number;
        /** Bytes are decoded as those of an answer are. */
        readonly text: string | Uint8Array;
        readonly headers?: Headers | undefined;
      }
    | undefined;
}

/** What a carrier's file makes of a home and of an answer. Secrets stand as `${NAME}`, what steps take as their names. */
export interface HttpCarrierPreview {
  /** Where something is missing that the carrier wants: nothing is sent, and this is the answer. */
  readonly unsent?: CarrierAnswer | undefined;
  readonly sent?:
    | {
        readonly method: string;
        readonly url: string;
        readonly headers: Readonly<Record<string, string>>;
        readonly body: string;
      }
    | undefined;
  /** What the document says when it is read back; of a carrier with a dialect. */
  readonly readBack?: ReadDocument | undefined;
  /** What the answer reads as. */
  readonly answer?: CarrierAnswer | undefined;
}

/**
 * What would be sent for a home, and what an answer would be read as, without a network.
 *
 * @throws {CarrierFault} where a value cannot be sent, or the answer is none.
 */
export function previewHttpCarrier(file: HttpCarrierFile, { request, answer }: HttpCarrierTrial): HttpCarrierPreview {
  const secrets = (name: string) => `\${${name}}`;
  const auth = { headers: async () => ({}), refused: () => false };
  const exchange = createExchange(file, { auth, secrets, fetch: globalThis.fetch });
  const steps = Object.fromEntries(
    (file.steps ?? []).map(({ id, take }) => [
      id,
      Object.fromEntries(Object.keys(take).map((name) => [name, `steps.${id}.${name}`])),
    ]),
  );
  const values: JsonObject = { ...valuesOf(request, request.rateId), steps };
  const made = file.dialect && writeDocument(file.dialect, values, lookUp);
  if (made !== undefined && 'answer' in made) return { unsent: made.answer };
  const missing = missingValues(file.request.body, values);
  if (missing.length > 0) return { unsent: answerMissing(missing) };
  const { method, url, headers, body = '' } = exchange.fill(file.request, values, made?.text);
  return {
    sent: { method, url, headers: Object.fromEntries(headers), body },
    readBack: file.dialect && readDocument(file.dialect, body),
    answer: answer && readFirstAnswer(exchange.read(answer), file, { url, idempotencyKey: request.rateId, steps: {} }),
  };
}
