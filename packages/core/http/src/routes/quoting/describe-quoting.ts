import { didYouMean, quoteValue } from '@leeward/terms';
import type { z } from 'zod';
import { asExample } from '../../document/content-text.ts';
import type { Operation } from '../../operation/operation.ts';
import { invalidRequest } from '../../problem/problem.ts';
import { emptyRequest, indications } from '../../quoting/quote-schema.ts';
import { checkBody } from '../../request/check-body.ts';
import { carriers, nothing } from './quote-examples.ts';
import { quoteRoute } from './quote-route.ts';
import type { QuotingPorts } from './quoting-ports.ts';

interface DescriptionSchemas {
  readonly carriersResponse: z.ZodType;
  readonly productsResponse: z.ZodType;
  readonly indicateRequest: z.ZodType<{
    readonly form_types: readonly unknown[];
    readonly fields: Readonly<Record<string, unknown>>;
  }>;
  readonly fieldsRequest: z.ZodType<{ readonly product_code?: unknown }>;
}

/** Carriers, products and fields that a quote request can name. */
export function descriptionOperations(
  { quotes }: Pick<QuotingPorts, 'quotes'>,
  { carriersResponse, productsResponse, fieldsRequest, indicateRequest }: DescriptionSchemas,
): Operation[] {
  return [
    quoteRoute({
      path: '/api/v1/quote/carriers',
      operationId: 'listQuoteCarriers',
      summary: 'List carriers',
      description: 'The carriers that the team is appointed to, with the products and form types of each.',
      request: emptyRequest,
      response: carriersResponse,
      example: {
        request: nothing,
        answer: asExample('One carrier', {
          carriers: [
            {
              carrier_key: 'sawpalm_home',
              carrier: carriers.sawpalm,
              products: [
                { product_code: 'homeowners', form_types: ['ho3', 'ho5'] },
                { product_code: 'dwelling_fire', form_types: ['dp3'] },
              ],
            },
          ],
        }),
      },
      run: (teamId) => quotes.carriers(teamId),
    }),
    quoteRoute({
      path: '/api/v1/quote/products',
      operationId: 'listQuoteProducts',
      summary: 'List products',
      description: 'The values of `product_code`, and of `form_types` for each product.',
      request: emptyRequest,
      response: productsResponse,
      example: {
        request: nothing,
        answer: asExample('Two products', {
          products: [
            { product_code: 'homeowners', product: 'Homeowners', form_types: ['ho3', 'ho5', 'ho8'] },
            { product_code: 'wind', product: 'Wind Only', form_types: ['wind only'] },
          ],
        }),
      },
      run: async () => quotes.products(),
    }),
    quoteRoute({
      path: '/api/v1/quote/indications',
      operationId: 'indicatePremiums',
      summary: 'Estimate premiums',
      description:
        'Premiums of the appointed carriers whose rates are at hand, for a home that is not complete: without a name or a date of birth, for example. Rules are not evaluated, no carrier is called, and nothing is stored.',
      request: indicateRequest,
      response: indications,
      example: {
        request: asExample('A home in Ocala, Florida', {
          form_types: ['ho3'],
          fields: { state: 'FL', county: 'Marion', dwelling_a: 350_000, year_built: 2004 },
        }),
        answer: asExample('One estimate', {
          indications: [
            {
              carrier_key: 'sawpalm_home',
              carrier: carriers.sawpalm,
              form_type: 'ho3',
              premium: '2030.10',
              min: '1020.55',
              max: '6120.80',
              missing_fields: ['construction_type_options', 'roof_year'],
            },
          ],
          carriers: [
            { carrier_key: 'sawpalm_home', form_type: 'ho3', skip_code: null },
            { carrier_key: 'fieldlark_direct', form_type: 'ho3', skip_code: 'state_not_appointed' },
          ],
        }),
      },
      run(teamId, { json }) {
        const { form_types, fields } = checkBody(indicateRequest, json);
        return quotes.indicate(teamId, { formTypes: form_types.map(String), fields });
      },
    }),
    quoteRoute({
      path: '/api/v1/quote/fields',
      operationId: 'describeQuoteFields',
      summary: 'Describe the fields of a quote',
      description: 'The required keys, the type of each, and the values of each option.',
      request: fieldsRequest,
      isOptional: true,
      example: { request: nothing, answer: asExample('Two of the fields', fieldsExample) },
      async run(_, { json }) {
        const { product_code } = checkBody(fieldsRequest, json ?? {});
        const product = product_code === undefined || product_code === null ? undefined : String(product_code);
        const reference = quotes.fieldReference(product);
        if (reference) return reference;
        const codes = quotes.products().products.map((each) => each.product_code);
        const message = `product_code is ${quoteValue(product_code)}; give one of: ${codes.join(', ')}.${didYouMean(product ?? '', codes)}`;
        throw invalidRequest([{ path: '/product_code', code: 'unknown_product', message }]);
      },
    }),
  ];
}

const fieldsExample = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Fields of a quote request',
  type: 'object',
  properties: {
    square_feet: {
      type: ['integer', 'string'],
      pattern: '^[0-9]{1,9}$',
      description: 'Living area, in square feet.',
    },
    phone_type: { type: 'string', enum: ['mobile', 'home', 'work', 'other'] },
  },
  required: ['square_feet', 'phone_type'],
  additionalProperties: true,
};
