import { capitalized, type JsonObject, wordOf } from '@leeward/terms';
import { homeQuotes, type QuotedLine } from '../catalog/quoted-line.ts';
import { MAX_KEYS } from './check-fields.ts';
import { requestedCoveragesKey, requestedCoveragesSchema } from './requested-coverages.ts';

/**
 * JSON Schema (2020-12) of `fields`, with the allowed values of option keys as `enum`.
 *
 * @example
 * const schema = fieldReference(homeQuotes);
 */
export function fieldReference({ fields }: Pick<QuotedLine, 'fields'> = homeQuotes): JsonObject {
  const required = fields.filter(({ isRequired = true }) => isRequired).map(({ key }) => key);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Fields of a quote request',
    description: `${required.length === fields.length ? `All listed keys except ${requestedCoveragesKey} are required` : 'Required keys are listed as such'}; null means not given. Values of option keys are matched without regard to case, blanks and hyphens. Further keys are allowed and reach the carriers unchanged.`,
    type: 'object',
    properties: {
      ...Object.fromEntries(
        fields.map((field) => [field.key, { title: capitalized(wordOf('field', field.key)), ...field.schema }]),
      ),
      [requestedCoveragesKey]: requestedCoveragesSchema,
    },
    required,
    additionalProperties: true,
    maxProperties: MAX_KEYS,
  };
}
