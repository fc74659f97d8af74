import type { JsonObject } from '@leeward/terms';
import { quoteFields } from '../catalog/quote-fields.ts';
import { maxKeys } from './check-fields.ts';

/** The reference of `fields`: a JSON Schema (2020-12) with the allowed values of option keys as `enum`. */
export function fieldReference(): JsonObject {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Fields of a quote request',
    description:
      'All listed keys are required; null means not given. Values of option keys are matched without regard to case, blanks and hyphens. Further keys are allowed and reach the carriers unchanged.',
    type: 'object',
    properties: Object.fromEntries(quoteFields.map((field) => [field.key, field.schema])),
    required: quoteFields.map((field) => field.key),
    additionalProperties: true,
    maxProperties: maxKeys,
  };
}
