/** An area of a flood map that contains the place, or may contain it. */
export interface FloodArea {
  /** Lower case, as on the map: `ae`, `x shaded`, `x unshaded`; undefined for other words. */
  readonly zone: string | undefined;
  readonly specialFloodHazardArea: boolean | undefined;
  /** Feet in the datum of the map; undefined if the area has no single elevation. */
  readonly baseFloodElevationFeet: number | undefined;
}

/** Known hazards of a place. Undefined means unknown, never no. */
export interface Hazards {
  /** One area if the place is known exactly, several if it may be in any of them, none if unmapped or unknown. */
  readonly floodAreas: readonly FloodArea[];
  /** Panel of the map: `12057C0354J`. */
  readonly mapPanel: string | undefined;
  /** Effective date of the panel, `YYYY-MM-DD`. */
  readonly mapPanelDate: string | undefined;
  /** True if the place is in the wind-borne debris region. */
  readonly windBorneDebris: boolean | undefined;
}

/** A place to look up. */
export interface HazardPlace {
  /** Degrees, WGS 84. */
  readonly latitude: number;
  readonly longitude: number;
  /** Maximum distance of the building from the point. @default 0 */
  readonly errorRadiusMeters?: number | undefined;
}

/** Port: knows the hazards of places. @throws {GeocoderUnavailableError} and nothing else. */
export interface HazardSource {
  readonly name: string;
  hazards(place: HazardPlace, options?: { readonly signal?: AbortSignal | undefined }): Promise<Hazards>;
}
