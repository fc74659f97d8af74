import { nextTurn, type Turn } from '@leeward/engine/compiled';
import type { z } from 'zod';
import {
  type ContentText,
  type Examples,
  type JsonSchema,
  type RouteGroup,
  requestBodyOf,
} from '../operation/operation.ts';
import { jsonSchemaOf } from './component-schemas.ts';

interface MoreText {
  readonly examples?: Examples;
  readonly optional?: true;
}

/**
 * A body for the document. Its JSON Schema is made on first use, because most processes never serve the document.
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

/** `write` makes the JSON Schema on first use. */
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

/** Yields between operations. */
export async function writeSchemas(groups: readonly RouteGroup[], turn: Turn): Promise<void> {
  for (const operation of groups.flatMap(({ operations }) => operations)) {
    const answers = Object.values(operation.answers).map(({ content }) => content);
    for (const content of [...answers, requestBodyOf(operation)]) {
      if (typeof content === 'object') void content.schema;
      await nextTurn(turn);
    }
  }
}

export function asExample(summary: string, value: unknown): Examples {
  return { example: { summary, value } };
}
