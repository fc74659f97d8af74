import { isObject } from '@leeward/terms';
import type { Service } from '../service/service.ts';
import { ToolError } from './tool-error.ts';

/** A field of a request. */
export interface FieldEntry {
  /** JSON Schema. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Its description. */
  readonly words: string;
}

/**
 * The fields of a line's requests by name, as the document of the service has them.
 *
 * @throws {ToolError} if the service does not have the line.
 */
export async function fieldsOfLine(line: string, service: Service): Promise<ReadonlyMap<string, FieldEntry>> {
  const document = (await service.document()) as unknown as {
    paths: Record<string, unknown>;
    components: { schemas: Record<string, unknown> };
  };
  const { schemas } = document.components;
  const body = at(document.paths, `/v1/underwrite/${line}`, 'post', 'requestBody', 'content', 'application/json');
  const schema = resolve(at(body, 'schema'), schemas);
  const properties = at(schema, 'properties');
  if (!isObject(properties)) {
    const lines = Object.keys(document.paths).flatMap((path) => /^\/v1\/underwrite\/([^/{}]+)$/.exec(path)?.[1] ?? []);
    throw new ToolError(`line: the service does not have "${line}". It has: ${lines.join(', ')}.`);
  }
  return new Map(
    Object.entries(properties).flatMap(([name, value]) => {
      const own = resolve(value, schemas);
      if (!isObject(own)) return [];
      const described = isObject(value) && typeof value['description'] === 'string' ? value : own;
      const { description } = described;
      return [[name, { schema: own, words: typeof description === 'string' ? description : '' }]];
    }),
  );
}

function at(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce((inner, key) => (isObject(inner) ? inner[key] : undefined), value);
}

function resolve(value: unknown, schemas: Readonly<Record<string, unknown>>): unknown {
  const reference = at(value, '$ref');
  return typeof reference === 'string' ? schemas[reference.replace('#/components/schemas/', '')] : value;
}
