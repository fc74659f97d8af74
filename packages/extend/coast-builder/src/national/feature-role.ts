/** Attributes of a feature in its file. */
export type FeatureAttributes = Readonly<Record<string, unknown>> | null;

/** The meaning of a feature for a coastline. */
export type FeatureRole =
  | {
      readonly role: 'shore';
      readonly layers: readonly string[];
      /** For example `Gulf`. */
      readonly shore: string;
      readonly polygons: 'land' | 'water';
      /** Stated in the file. */
      readonly accuracyMeters?: number;
    }
  /** Outside the shoreline; its border with water of the shoreline is not a shore. */
  | { readonly role: 'open water' }
  | { readonly role: 'ignored'; readonly reason: string };

/** Role of a feature by its attributes. */
export type FeatureMap = (attributes: FeatureAttributes) => FeatureRole;

/** Trimmed text; the case of the name does not matter. `''` if missing or null. */
export function textAttribute(attributes: FeatureAttributes, key: string): string {
  const value = attributeOf(attributes, key);
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';
}

/** Finite, or undefined. */
export function numberAttribute(attributes: FeatureAttributes, key: string): number | undefined {
  const text = textAttribute(attributes, key);
  const value = text === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** Some offices write `FTYPE`, others `FType`. */
function attributeOf(attributes: FeatureAttributes, key: string): unknown {
  if (attributes === null) return undefined;
  if (Object.hasOwn(attributes, key)) return attributes[key];
  const lower = key.toLowerCase();
  const name = Object.keys(attributes).find((each) => each.toLowerCase() === lower);
  return name === undefined ? undefined : attributes[name];
}
