import type { CarrierRequest } from '@leeward/quotes';
import { checkFields, type QuotedLine, quotedLines } from '@leeward/quotes';
import { type Fault, isObject, own } from '@leeward/terms';
import type { HttpCarrierFile } from './schema.ts';

/** What a trial of a carrier's file is read against. */
export interface TrialRequestOptions {
  readonly file: HttpCarrierFile;
  /** `YYYY-MM-DD`: years and dates are judged against it. */
  readonly today: string;
  /** Lines of business that are quoted beside homes. */
  readonly lines?: readonly QuotedLine[] | undefined;
}

/** A quote request as the carrier would be handed it, or what is wrong with it. */
export type TrialRequest = { readonly request: CarrierRequest } | { readonly faults: readonly Fault[] };

/**
 * Reads the body of a quote request for a trial of a carrier's file, for the first form type that it names, or that the
 * carrier offers. Its fields are checked as for a quote; teams, producers and appointments are left out.
 */
export function readTrialRequest(body: unknown, { file, today, lines }: TrialRequestOptions): TrialRequest {
  const sold = quotedLines(lines);
  const given = isObject(body) ? body : {};
  const [first = file.offers[0]!.form_types[0]] = [own(given, 'form_types')].flat();
  const formType = sold.checkFormType(first);
  if (!('value' in formType)) return { faults: [{ path: '/form_types/0', ...formType }] };
  const { fields, faults } = checkFields(own(given, 'fields'), today, sold.lineOf(formType.value));
  if (faults.length > 0) return { faults };
  const product = sold.products.find(({ formTypes }) => formTypes.includes(formType.value))!;
  return {
    request: {
      ...{ rateId: 'trial-rate', quoteRequestId: 'trial-quote', teamId: 'trial-team' },
      productCode: product.code,
      formType: formType.value,
      effectiveDate: String(fields['effective_date']),
      producerEmail: String(own(given, 'assigned_producer_email') ?? 'producer@example.com'),
      fields,
    },
  };
}
