/** An area of a flood map that a place lies in, or may lie in. */
export interface FloodArea {
  /** As the map has it, in lower case: `ae`, `x shaded`, `x unshaded`; undefined where the map says neither or another word. */
  readonly zone: string | undefined;
  readonly specialFloodHazardArea: boolean | undefined;
  /** Feet in the datum of the map; undefined where the map has no one elevation for the area. */
  readonly baseFloodElevationFeet: number | undefined;
}

/** What is known of the hazards of a place. What is not known is undefined, never a no. */
export interface Hazards {
  /**
   * The areas that the place may lie in: one where it is known, several where the place is not known well enough, none where
   * nothing is mapped, or nobody could say.
   */
  readonly floodAreas: readonly FloodArea[];
  /** The panel of the map: `12057C0354J`. */
  readonly mapPanel: string | undefined;
  /** `YYYY-MM-DD`: since when the panel is in force. */
  readonly mapPanelDate: string | undefined;
  /** Whether it lies in the wind-borne debris region. */
  readonly windBorneDebris: boolean | undefined;
}

/** A place whose hazards are asked for. */
export interface HazardPlace {
  /** Degrees, WGS 84. */
  readonly latitude: number;
  readonly longitude: number;
  /** How far the building may be from the point; default 0. */
  readonly errorRadiusMeters?: number | undefined;
}

/** A port beside the geocoder: knows the hazards of places. Throws only a `GeocoderUnavailableError`. */
export interface HazardSource {
  readonly name: string;
  hazards(place: HazardPlace, options?: { readonly signal?: AbortSignal | undefined }): Promise<Hazards>;
}
