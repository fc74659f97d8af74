/** In degrees, WGS 84. */
export type Position = readonly [longitude: number, latitude: number];

/** A named area of a rule set. Plain data. */
export interface Area {
  /** As the rule set names it. */
  readonly name: string;
  /** SHA-256 of the geometry. Areas of the same geometry are the same in any file. */
  readonly sha256: string;
  /** Closed rings of polygons and holes; a position is inside if it is within an odd number of them. Empty for lines and points. */
  readonly rings: readonly (readonly Position[])[];
  /** Lines, or single positions. Empty for polygons. */
  readonly lines: readonly (readonly Position[])[];
  /** The area reaches this far around the geometry, in meters. */
  readonly bufferMeters: number;
}

/** The source of the facts that depend on the position of the building. No field has this name. */
export const LOCATION = ':location';

/** Largest distance on the Earth, in miles. */
export const MAX_MILES = 12_450;
