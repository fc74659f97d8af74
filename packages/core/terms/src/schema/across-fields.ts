/** Rules across the fields of a request. A field that is null is missing. */
export interface FieldRules {
  /** The first field needs the second. */
  readonly needs?: readonly (readonly [field: string, needed: string])[];
  /** Both at once are refused. */
  readonly apart?: readonly (readonly [string, string])[];
  /** One or more of each group is required. */
  readonly someOf?: readonly (readonly string[])[];
}

/**
 * Writes rules across fields as keywords of JSON Schema, for a document. The validation itself checks them elsewhere, with a message.
 * `not` is used because generators of types ignore it.
 * @example
 * z.object({ lat, lng }).meta(acrossFields({ needs: [['lat', 'lng'], ['lng', 'lat']] }));
 */
export function acrossFields({ needs = [], apart = [], someOf = [] }: FieldRules): { readonly not: object } {
  const all = [
    ...needs.map(([field, needed]) => refused([field], [needed])),
    ...apart.map((pair) => refused(pair, [])),
    ...someOf.map((group) => refused([], group)),
  ];
  return { not: all.length === 1 ? all[0]! : { anyOf: all } };
}

/** Matches a request that has the first fields and lacks the others. */
function refused(present: readonly string[], missing: readonly string[]): object {
  const ofEach = (names: readonly string[], schema: object) => names.map((name) => [name, schema] as const);
  return {
    ...(present.length > 0 && { required: present }),
    properties: Object.fromEntries([
      ...ofEach(present, { not: { type: 'null' } }),
      ...ofEach(missing, { type: 'null' }),
    ]),
  };
}
