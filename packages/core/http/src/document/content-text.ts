import { nextTurn, type Turn } from '@leeward/engine/compiled';
import type { z } from 'zod';
import type { ContentText, Examples, JsonSchema, RouteGroup } from '../operation/operation.ts';
import { jsonSchemaOf } from './component-schemas.ts';

interface MoreText {
  readonly examples?: Examples;
  readonly optional?: true;
}

/**
 * The body of a request (`input`) or an answer (`output`), for the document. Its JSON Schema is made when it is first read: making
 * all of them is most of the cost of `createLeeward`, and many processes never serve their document.
 *
 * @example
 * const requestBody = createContentText('OfficeRequest', z.object({ name: z.string() }), 'input');
 */
export function createContentText(
  name: string,
  schema: z.ZodType,
  io: 'input' | 'output',
  more: MoreText = {},
): ContentText & MoreText {
  return contentWrittenLater(name, () => jsonSchemaOf(schema, io), more);
}

/** Like `createContentText`, for a JSON Schema that `write` makes on first use. */
export function contentWrittenLater(
  name: string,
  write: () => JsonSchema,
  more: MoreText = {},
): ContentText & MoreText {
  let written: JsonSchema | undefined;
  return {
    name,
    get schema() {
      written ??= write();
      return written;
    },
    ...more,
  };
}

/** Makes the schemas of all operations, and yields between them, so that the document does not delay requests. */
export async function writeSchemas(groups: readonly RouteGroup[], turn: Turn): Promise<void> {
  for (const operation of groups.flatMap(({ operations }) => operations)) {
    const answers = Object.values(operation.answers).map(({ content }) => content);
    for (const content of [...answers, 'locate' in operation ? operation.requestBody : undefined]) {
      if (typeof content === 'object') void content.schema;
      await nextTurn(turn);
    }
  }
}

/** A single example of a body. */
export function asExample(summary: string, value: unknown): Examples {
  return { example: { summary, value } };
}
