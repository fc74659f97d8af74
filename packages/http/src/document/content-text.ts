import type { z } from 'zod';
import type { ContentText } from '../operation/operation.ts';
import { jsonSchemaOf } from './component-schemas.ts';

/**
 * The body of a request (`input`) or an answer (`output`), for the document. Its JSON Schema is written when it is read: to
 * write all of them is most of what making a service costs, and many a process is never asked for its document.
 */
export function createContentText(
  name: string,
  schema: z.ZodType,
  io: 'input' | 'output',
  more: Pick<ContentText, 'examples'> & { readonly optional?: true } = {},
): ContentText & typeof more {
  return {
    name,
    get schema() {
      return jsonSchemaOf(schema, io);
    },
    ...more,
  };
}
