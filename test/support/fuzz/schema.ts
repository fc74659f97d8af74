/** JSON Schema, as far as requests of the document use it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>;
  readonly additionalProperties?: boolean | Schema;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly examples?: readonly unknown[];
}

export type Components = Readonly<Record<string, Schema>>;

export function resolved(schema: Schema, components: Components): Schema {
  if (schema.$ref === undefined) return schema;
  return resolved(components[schema.$ref.slice('#/components/schemas/'.length)] ?? {}, components);
}

/** Returns all alternatives of a schema, flattened. */
export function alternatives(schema: Schema, components: Components): readonly Schema[] {
  const found = resolved(schema, components);
  if (found.anyOf) return found.anyOf.flatMap((each) => alternatives(each, components));
  return Array.isArray(found.type) ? found.type.map((type: string) => ({ ...found, type })) : [found];
}

/** Returns the words of an enumeration, even if other values are allowed too. */
export function wordsOf(schema: Schema, components: Components): readonly unknown[] {
  return alternatives(schema, components).flatMap((each) => each.enum ?? []);
}
