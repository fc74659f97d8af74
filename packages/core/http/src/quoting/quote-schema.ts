import { fieldReference, homeQuotes, inclusions, outcomes, type QuotedLine, settlements } from '@leeward/quotes';
import { acrossFields, own } from '@leeward/terms';
import { z } from 'zod';
import { capitals } from '../underwriting/served-line.ts';

/** Other spellings are accepted too, but the document names only the canonical ones, so that generated types find typing errors. */
const spelled = (values: z.ZodEnum) => z.string().meta({ enum: [...values.options] });

const status = z.enum(['processing', 'success', 'error']);
/** A time in answers. */
export const instant = z.string().meta({ description: 'UTC with microseconds: 2026-11-20T12:00:00.000000Z.' });
const amount = z.string().meta({ description: 'Dollars with two decimals.', examples: ['2143.00'] });
const count = z.int().min(0);
const counts = z.object({ processing: count, success: count, error: count });
const outcomeCounts = z
  .object(
    Object.fromEntries(outcomes.map((outcome) => [outcome, count])) as Record<(typeof outcomes)[number], typeof count>,
  )
  .meta({ id: 'OutcomeCounts', description: 'Number of rates by outcome.' });
const rateIndex = z.array(
  z.object({ id: z.string(), status, carrier: z.string(), carrier_key: z.string(), form_type: z.string() }),
);

const messages = z
  .array(
    z.object({
      level: z.enum(['info', 'warning', 'error']),
      code: z.string(),
      message: z.string(),
      field: z.string().nullable(),
    }),
  )
  .nullable();

const liteRate = z
  .object({
    id: z.string(),
    status,
    premium: amount.nullable(),
    carrier_quote_number: z.string().nullable(),
    carrier_quote_url: z.string().nullable(),
    carrier_response_messages: messages,
    carrier: z.string(),
    form_type: z.string(),
    request_id: z.string().meta({ description: 'The quote request’s identifier.' }),
    created_at: instant,
  })
  .meta({ id: 'RateLite' });

const rateType = z.enum(['indication', 'quoted', 'bindable']);
const line = z.object({ code: z.string(), name: z.string(), amount });
const coverageValue = z
  .object({
    amount: amount.nullable(),
    percent: z.number().nullable().meta({ description: 'For example 2 for 2 % of a coverage.' }),
    percent_of: z.string().nullable().meta({ description: 'Code of that coverage.' }),
    inclusion: z.enum(inclusions).nullable(),
    settlement: z.enum(settlements).nullable(),
  })
  .meta({ id: 'CoverageValue', description: 'Null where the carrier states nothing.' });
const coverage = z.object({ code: z.string(), name: z.string(), ...coverageValue.shape });
const terms = z
  .array(
    z.object({
      name: z.string(),
      text: z.string(),
      result: z.enum(['satisfied', 'violated', 'not_stated']),
      value: z.union([z.number(), z.string(), z.boolean()]).nullable(),
    }),
  )
  .meta({ description: 'Terms of the carrier’s rules, and whether the rate satisfies them.' });
const documents = z.array(z.object({ document_id: z.string(), title: z.string(), media_type: z.string() }));

/** A rate with all details. */
export const fullRate = liteRate
  .extend({
    carrier_key: z.string(),
    product_code: z.string(),
    outcome: z.enum(outcomes).nullable(),
    attempts: count,
    started_at: instant.nullable(),
    finished_at: instant.nullable(),
    coverages: z.array(coverage).nullable(),
    deductibles: z.array(coverage).nullable(),
    endorsements: z.array(coverage).nullable(),
    terms,
    fees: z.array(line).nullable().meta({ description: 'Fees and taxes, which the premium includes.' }),
    effective_date: z.string(),
    expires_at: instant.nullable(),
    error: z.object({ code: z.string(), message: z.string(), retryable: z.boolean() }).nullable(),
    rate_type: rateType.nullable().meta({
      description: '`indication`: an estimate. `quoted`: firm, subject to `subject_to`. `bindable`: ready to bind.',
    }),
    subject_to: z
      .array(z.object({ code: z.string(), message: z.string() }))
      .nullable()
      .meta({ description: 'Conditions that are still open, such as an inspection.' }),
    bridge_url: z.string().nullable(),
    documents: documents.nullable().meta({ description: 'Documents of the carrier; null if there are none.' }),
    pending_since: z
      .string()
      .nullable()
      .meta({ description: 'Start of the wait for a pending answer of the carrier, else null.' }),
    retry_of: z.string().nullable(),
    carried_from: z
      .string()
      .nullable()
      .meta({ description: 'The rate of an earlier quote whose answer was reused, else null.' }),
  })
  .meta({ id: 'Rate' });

const priority = (usual: string) =>
  z
    .int()
    .min(1)
    .max(5)
    .nullish()
    .meta({
      description: `Order among the quotes of the team that wait for the same carrier: 1 is called first, for example with the customer on the phone, 5 last. If omitted, ${usual}.`,
    });

const requoteOf = z
  .string()
  .nullable()
  .meta({ description: 'The earlier quote that this one was made from, else null.' });

export const createdQuote = z
  .object({
    quote_request_id: z.string(),
    service_quote_id: z.string(),
    status: z
      .enum(['processing', 'complete'])
      .meta({ description: '`complete` if every answer was reused from an earlier quote.' }),
    counts,
    outcomes: outcomeCounts,
    rate_index: rateIndex,
    skipped: z.array(z.object({ carrier_key: z.string(), form_type: z.string(), code: z.string() })),
    warnings: z
      .array(z.object({ code: z.string(), path: z.string(), message: z.string() }))
      .meta({ description: 'Inconsistencies of the accepted request.' }),
    requote_of: requoteOf,
    created_at: instant,
  })
  .meta({ id: 'QuoteCreated' });

export const quoteStatus = z
  .object({
    quote_request_id: z.string(),
    service_quote_id: z.string(),
    status: z.enum(['processing', 'complete']),
    counts,
    outcomes: outcomeCounts,
    min_quote: amount.nullable(),
    max_quote: amount.nullable(),
    rate_index: rateIndex,
    rates: z.array(z.union([fullRate, liteRate])),
    requote_of: requoteOf,
    created_at: instant,
    completed_at: instant.nullable(),
  })
  .meta({ id: 'QuoteStatus' });

const insured = z
  .object({ name: z.string(), address: z.string() })
  .nullable()
  .meta({ description: 'For tokens with the scope `insured`, else null.' });
const initials = z
  .string()
  .nullable()
  .meta({ description: 'Null once the personal data is erased.', examples: ['DM'] });
export const quoteList = z
  .object({
    quotes: z.array(
      z.object({
        quote_request_id: z.string(),
        service_quote_id: z.string(),
        team_id: z.string(),
        status: z.enum(['processing', 'complete']),
        product_code: z.string(),
        form_types: z.array(z.string()).meta({ description: 'Form types of the rates.' }),
        effective_date: z.string(),
        assigned_producer_email: z
          .string()
          .meta({ description: 'The producer; empty once the personal data is erased.' }),
        counts,
        min_quote: amount.nullable(),
        max_quote: amount.nullable(),
        best_offer: z.object({ premium: amount, rate_type: rateType }).nullable().meta({
          description:
            'The lowest premium among bindable rates, else among quoted ones, else among indications. Null without a premium.',
        }),
        insured_initials: initials,
        insured,
        requote_of: requoteOf,
        created_at: instant,
      }),
    ),
    next: z.string().nullable().meta({ description: 'The cursor of the next page; null on the last.' }),
  })
  .meta({ id: 'QuoteList' });

export const indications = z
  .object({
    indications: z
      .array(
        z.object({
          carrier_key: z.string(),
          carrier: z.string(),
          form_type: z.string(),
          premium: amount.meta({
            description: 'For one year with fees and taxes, with neutral values for the missing fields.',
          }),
          min: amount.meta({ description: 'The lowest premium over all values of the missing fields.' }),
          max: amount.meta({ description: 'The highest premium over all values of the missing fields.' }),
          missing_fields: z.array(z.string()),
        }),
      )
      .meta({ description: 'Estimates of carriers with rates at hand, the lowest first.' }),
    carriers: z
      .array(
        z.object({
          carrier_key: z.string(),
          form_type: z.string(),
          skip_code: z
            .string()
            .nullable()
            .meta({ description: 'Null if a quote of this home calls the carrier, else why it does not.' }),
        }),
      )
      .meta({ description: 'The appointed carriers, by form type.' }),
  })
  .meta({ id: 'Indications' });

const premiumRange = z.object({ count, min: amount.nullable(), max: amount.nullable() });
const premiums = z.object({ indication: premiumRange, quoted: premiumRange, bindable: premiumRange }).meta({
  id: 'PremiumsByWorth',
  description: 'Number of premiums, the lowest and the highest, by rate type.',
});

const compared = {
  id: z.string(),
  carrier: z.string(),
  carrier_key: z.string(),
  form_type: z.string(),
  outcome: z.enum(outcomes).nullable(),
};
export const quoteComparison = z
  .object({
    quote_request_id: z.string(),
    service_quote_id: z.string(),
    status: z.enum(['processing', 'complete']),
    effective_date: z.string(),
    requote_of: requoteOf,
    insured_initials: initials,
    insured,
    rates: z
      .array(
        z.object({
          ...compared,
          premium: amount.meta({ description: 'For one year with fees and taxes.' }),
          premium_before_fees: amount.nullable().meta({ description: 'Null if no fees and taxes are listed.' }),
          term_months: z.literal(12),
          rate_type: rateType.nullable(),
          effective_date: z.string(),
          expires_at: instant.nullable(),
          subject_to: z.array(z.object({ code: z.string(), message: z.string() })),
          terms,
          violates_terms: z.boolean(),
          carrier_quote_number: z.string().nullable(),
          carrier_quote_url: z.string().nullable(),
          bridge_url: z.string().nullable(),
          documents,
          carrier_response_messages: messages,
          financial_strength: z
            .object({ agency: z.string(), rating: z.string(), as_of: z.string().nullable() })
            .nullable()
            .meta({ description: 'Rating of the carrier’s ability to pay claims; null if unknown.' }),
        }),
      )
      .meta({ description: 'Rates with a premium, the lowest first.' }),
    lines: z.array(
      z.object({
        section: z.enum(['coverages', 'deductibles', 'endorsements', 'fees']),
        code: z.string(),
        name: z.string(),
        requested: amount.nullable().meta({ description: 'The requested amount; null if there is none.' }),
        amounts: z
          .array(amount.nullable())
          .meta({ description: 'In the order of `rates`; null if a rate does not list it.' }),
        values: z
          .array(coverageValue.nullable())
          .meta({ description: 'In the order of `rates`; null if a rate does not list it.' }),
        requested_value: coverageValue.nullable(),
        same: z
          .boolean()
          .meta({ description: 'True if all rates that list anything in this section have the same value.' }),
        differs_from_request: z.array(z.string()).meta({ description: 'Identifiers of rates with another value.' }),
      }),
    ),
    coverage_basis: z.enum(['same', 'different', 'unknown']).meta({
      description: '`same` if the premiums are for the same form type, coverages, deductibles and endorsements.',
    }),
    basis_differences: z.array(z.string()).meta({ description: 'For example `form_type` or `coverages/dwelling`.' }),
    premiums,
    without_premium: z.array(z.object({ ...compared, status })),
  })
  .meta({ id: 'QuoteComparison' });

/** For homes and these lines. */
export function quoteSchemas(others: readonly QuotedLine[]) {
  const lines = [homeQuotes, ...others];
  const words = (list: readonly string[]) => z.enum(list as [string, ...string[]]);
  const productCode = words(lines.flatMap(({ products }) => products.map(({ code }) => code)));
  const formType = words(lines.flatMap(({ formTypes }) => formTypes));
  const productLine = z.object({ product_code: productCode, form_types: z.array(formType) });
  const [ofHomes, ...ofOthers] = lines.map((line) => {
    const { $schema, ...fields } = fieldReference(line);
    const id = `${line === homeQuotes ? '' : capitals(line.line)}QuoteFields`;
    return z.record(z.string(), z.unknown()).meta({ id, ...fields });
  });
  return {
    carriersResponse: z
      .object({
        carriers: z.array(z.object({ carrier_key: z.string(), carrier: z.string(), products: z.array(productLine) })),
      })
      .meta({ id: 'QuoteCarriers' }),
    productsResponse: z
      .object({ products: z.array(productLine.extend({ product: z.string() })) })
      .meta({ id: 'QuoteProducts' }),
    fieldsRequest: z
      .object({
        product_code: spelled(productCode)
          .nullish()
          .meta({ description: 'The product whose fields are described. If omitted, those of homes.' }),
      })
      .meta({ id: 'QuoteFieldsRequest' }),
    indicateRequest: z
      .strictObject({
        form_types: z.array(spelled(formType)).min(1).max(100),
        fields: z.record(z.string(), z.unknown()).meta({
          description:
            'Fields as in a quote request. All are optional; state, county and the base of the rates are needed.',
        }),
      })
      .meta({ id: 'IndicationRequest' }),
    listRequest: z
      .strictObject({
        team_id: z
          .string()
          .nullish()
          .meta({ description: 'A team of the token’s organization. If omitted, the team of the token.' }),
        product_code: spelled(productCode).nullish().meta({ description: 'If omitted, all products.' }),
        status: z
          .enum(['processing', 'complete'])
          .nullish()
          .meta({ description: '`processing`: some carriers have not answered. If omitted, both.' }),
        limit: z.int().min(1).max(200).nullish().meta({ description: 'Maximum number of quotes; default 50.' }),
        cursor: z.string().max(200).nullish().meta({ description: 'The value of `next` of the previous page.' }),
      })
      .meta({ id: 'QuoteListRequest' }),
    /** `Quotes` validates requests; this is for the document. */
    quoteRequest: z
      .strictObject({
        product_code: spelled(productCode).meta({ description: 'A `product_code` of the list of products.' }),
        assigned_producer_email: z.email().meta({ description: 'A producer of the calling team.' }),
        form_types: z
          .array(spelled(formType))
          .min(1)
          .max(1000)
          .nullish()
          .meta({ description: 'If omitted, all form types of the product.' }),
        carrier_keys: z
          .array(z.string())
          .min(1)
          .max(1000)
          .nullish()
          .meta({ description: 'Keys or names. If omitted, all appointed carriers.' }),
        priority: priority('3'),
        fields: ofOthers.length === 0 ? ofHomes! : z.union([ofHomes!, ...ofOthers]),
      })
      .meta({ id: 'QuoteRequest', patternProperties: { '^x_': { description: 'Ignored: for a host’s own notes.' } } }),
    /** For the document only. */
    requoteRequest: z
      .strictObject({
        assigned_producer_email: z
          .email()
          .nullish()
          .meta({ description: 'If omitted, the producer of the earlier quote.' }),
        form_types: z
          .array(spelled(formType))
          .min(1)
          .max(1000)
          .nullish()
          .meta({ description: 'If omitted, those of the earlier quote.' }),
        carrier_keys: z
          .array(z.string())
          .min(1)
          .max(1000)
          .nullish()
          .meta({ description: 'Keys or names. If omitted, those of the earlier quote.' }),
        priority: priority('that of the earlier quote'),
        fields: z.record(z.string(), z.unknown()).nullish().meta({
          description:
            'Changed fields, as in a quote request. null removes one. `requested_coverages` change one by one.',
        }),
      })
      .meta({
        id: 'RequoteRequest',
        patternProperties: { '^x_': { description: 'Ignored: for a host’s own notes.' } },
      }),
  };
}

export const statusRequest = z
  .strictObject({ include_rates: z.boolean().nullish().meta({ description: 'If true, rates have all details.' }) })
  .meta({ id: 'QuoteStatusRequest' });
export const compareRequest = z
  .object({
    form_type: z.string().max(100).nullish().meta({ description: 'If omitted, rates of all form types.' }),
    differences_only: z
      .boolean()
      .nullish()
      .meta({ description: 'If true, only lines in which rates differ from one another or from the request.' }),
  })
  .meta({ id: 'CompareRequest' });
export const proposalRequest = z
  .strictObject({
    agency_name: z
      .string()
      .regex(/\S/)
      .max(200)
      .meta({ description: 'Heading of the page.', examples: ['Palmetto Coast'] }),
    form_type: z.string().max(100).nullish().meta({ description: 'If omitted, rates of all form types.' }),
    rate_ids: z
      .array(z.string())
      .min(1)
      .max(100)
      .nullish()
      .meta({ description: 'Rates to propose. If omitted, all with a premium.' }),
  })
  .meta({ id: 'ProposalRequest' });
export const emptyRequest = z
  .looseObject({})
  .meta({ id: 'Empty', description: 'No options. The body is optional, and its members are ignored.' });

const { properties: fieldsOfHomes } = fieldReference(homeQuotes);
/** As in a quote. */
const nameOfInsured = (key: string) =>
  z
    .string()
    .nullish()
    .meta({ anyOf: [own(fieldsOfHomes, key), { type: 'null' }] });
export const eraseInsuredRequest = z
  .strictObject({
    insured_email: nameOfInsured('insured_email'),
    insured_phone: nameOfInsured('insured_phone'),
    first_name: nameOfInsured('first_name'),
    last_name: nameOfInsured('last_name'),
    insured_date_of_birth: nameOfInsured('insured_date_of_birth'),
  })
  .meta({
    id: 'EraseInsuredRequest',
    description:
      'The insured: insured_email, insured_phone, or last_name with insured_date_of_birth. A quote must match all of them.',
    ...acrossFields({
      someOf: [
        ['insured_email', 'insured_phone', 'last_name'],
        ['insured_email', 'insured_phone', 'insured_date_of_birth'],
      ],
    }),
  });
export const insuredErased = z
  .object({
    erased: z.array(z.string()).meta({ description: 'quote_request_id of each quote that was erased now.' }),
    unreadable: count.meta({
      description:
        'Always 0. If some quotes cannot be decrypted, the erasure is incomplete and answered 503 with `erased` and `unreadable`.',
    }),
  })
  .meta({ id: 'InsuredErased' });
export const quoteErased = z
  .object({
    quote_request_id: z.string(),
    service_quote_id: z.string(),
    newly_erased: z.boolean().meta({ description: 'False if it was erased before.' }),
  })
  .meta({ id: 'QuoteErased' });
