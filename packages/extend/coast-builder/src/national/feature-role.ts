/** The attributes of a feature, as its file has them. */
export type FeatureAttributes = Readonly<Record<string, unknown>> | null;

/** What a feature is to a coastline. */
export type FeatureRole =
  | {
      readonly role: 'shore';
      readonly layers: readonly string[];
      /** The name of its water, such as `Gulf`. */
      readonly shore: string;
      /** What its polygons enclose. */
      readonly polygons: 'land' | 'water';
      /** What the file says of its own accuracy, in metres. */
      readonly accuracyMeters?: number;
    }
  /** Water that is not wanted as a shore, but whose border with wanted water is none. */
  | { readonly role: 'open water' }
  | { readonly role: 'ignored'; readonly reason: string };

/** Reads from its attributes what a feature is. */
export type FeatureMap = (attributes: FeatureAttributes) => FeatureRole;

/** An attribute as trimmed text, its name in any case; empty if it is missing or null. */
export function textAttribute(attributes: FeatureAttributes, key: string): string {
  const value = attributeOf(attributes, key);
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';
}

/** An attribute as a number; undefined if it is missing or none. */
export function numberAttribute(attributes: FeatureAttributes, key: string): number | undefined {
  const text = textAttribute(attributes, key);
  const value = text === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** The same file comes with `FTYPE` from one office and with `FType` from another. */
function attributeOf(attributes: FeatureAttributes, key: string): unknown {
  if (attributes === null) return undefined;
  if (Object.hasOwn(attributes, key)) return attributes[key];
  const wanted = key.toLowerCase();
  const name = Object.keys(attributes).find((each) => each.toLowerCase() === wanted);
  return name === undefined ? undefined : attributes[name];
}
