import type { CarrierRequest } from '@leeward/quotes';
import { checkFields, type QuotedLine, quotedLines } from '@leeward/quotes';
import { type Fault, isObject, own } from '@leeward/terms';
import type { HttpCarrierFile } from './schema.ts';

/** Context of a trial request. */
export interface TrialRequestOptions {
  readonly file: HttpCarrierFile;
  /** `YYYY-MM-DD`. */
  readonly today: string;
  /** In addition to homes. @default none */
  readonly lines?: readonly QuotedLine[] | undefined;
}

/** A request as the carrier would get it, or its faults. */
export type TrialRequest = { readonly request: CarrierRequest } | { readonly faults: readonly Fault[] };

/**
 * Reads a request for a preview, with the first form type of the body or the carrier. Fields are checked as for a quote; teams,
 * producers and appointments are not.
 * @example
 * readTrialRequest({ fields }, { file: carrier, today: '2026-11-25' });
 */
export function readTrialRequest(body: unknown, { file, today, lines }: TrialRequestOptions): TrialRequest {
  const sold = quotedLines(lines);
  const input = isObject(body) ? body : {};
  const [first = file.offers[0]!.form_types[0]] = [own(input, 'form_types')].flat();
  const formType = sold.checkFormType(first);
  if (!('value' in formType)) return { faults: [{ path: '/form_types/0', ...formType }] };
  const { fields, faults } = checkFields(own(input, 'fields'), today, sold.lineOf(formType.value));
  if (faults.length > 0) return { faults };
  const product = sold.products.find(({ formTypes }) => formTypes.includes(formType.value))!;
  return {
    request: {
      ...{ rateId: 'trial-rate', quoteRequestId: 'trial-quote', teamId: 'trial-team' },
      productCode: product.code,
      formType: formType.value,
      effectiveDate: String(fields['effective_date']),
      producerEmail: String(own(input, 'assigned_producer_email') ?? 'producer@example.com'),
      fields,
    },
  };
}
