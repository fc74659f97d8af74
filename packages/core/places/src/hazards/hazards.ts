/** An area of a flood map that contains the place, or may contain it. */
export interface FloodArea {
  /** As on the map, lower case: `ae`, `x shaded`, `x unshaded`; undefined for other words. */
  readonly zone: string | undefined;
  readonly specialFloodHazardArea: boolean | undefined;
  /** In the datum of the map; undefined without a single elevation. */
  readonly baseFloodElevationFeet: number | undefined;
}

/** Known hazards of a place. Undefined means unknown, never no. */
export interface Hazards {
  /** Several if the place may be in any of them; none if unmapped or unknown. */
  readonly floodAreas: readonly FloodArea[];
  /** For example `12057C0354J`. */
  readonly mapPanel: string | undefined;
  /** `YYYY-MM-DD`. */
  readonly mapPanelDate: string | undefined;
  readonly windBorneDebris: boolean | undefined;
}

/** A place to look up. */
export interface HazardPlace {
  /** WGS 84. */
  readonly latitude: number;
  readonly longitude: number;
  /** Maximum distance of the building. @default 0 */
  readonly errorRadiusMeters?: number | undefined;
}

/** Port for hazards of places. @throws {GeocoderUnavailableError} and nothing else. */
export interface HazardSource {
  readonly name: string;
  hazards(place: HazardPlace, options?: { readonly signal?: AbortSignal | undefined }): Promise<Hazards>;
}
