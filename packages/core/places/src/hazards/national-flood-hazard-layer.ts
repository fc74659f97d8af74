import { GeocoderUnavailableError } from '../geocoder/geocoder-unavailable-error.ts';
import { fetchJson, type ServerOptions } from '../geocoders/fetch-json.ts';
import { asList, asNumber, asRecord, asText } from '../geocoders/json-value.ts';
import type { FloodArea, HazardSource, Hazards } from './hazards.ts';

/** Server of the National Flood Hazard Layer. */
export interface NationalFloodHazardLayerOptions extends Partial<Omit<ServerOptions, 'baseUrl'>> {
  /** @default the public service */
  readonly baseUrl?: string | undefined;
  /** For one place. @default 5000 */
  readonly timeoutMs?: number | undefined;
}

type Attributes = Readonly<Record<string, unknown>>;

const nothing: Hazards = {
  floodAreas: [],
  mapPanel: undefined,
  mapPanelDate: undefined,
  windBorneDebris: undefined,
};

const name = 'national_flood_hazard_layer';
/** Panels of the map (S_FIRM_PAN), flood hazard areas (S_FLD_HAZ_AR). */
const PANELS = 3;
const AREAS = 28;
/** No elevation. */
const NO_ELEVATION = -9000;
/** For a less certain place too many areas would match. */
const MAX_RADIUS_METERS = 2_000;

/**
 * Creates a source from FEMA's public map service: free, no key. A place in several possible areas gets all of them. Documentation:
 * https://hazards.fema.gov/femaportal/wps/portal/NFHLWMS and the FIRM Database Technical Reference, S_FLD_HAZ_AR.
 * @example
 * await createNationalFloodHazardLayer().hazards({ latitude: 27.95, longitude: -82.46 });
 */
export function createNationalFloodHazardLayer(options: NationalFloodHazardLayerOptions = {}): HazardSource {
  const { baseUrl = 'https://hazards.fema.gov/arcgis/rest/services/public/NFHL/MapServer', timeoutMs = 5_000 } =
    options;
  return {
    name,
    async hazards({ latitude, longitude, errorRadiusMeters = 0 }, { signal } = {}) {
      signal?.throwIfAborted();
      if (!(errorRadiusMeters <= MAX_RADIUS_METERS)) return nothing;
      const late = AbortSignal.timeout(timeoutMs);
      const either = signal ? AbortSignal.any([signal, late]) : late;
      const query = async (layer: number, fields: string): Promise<readonly Attributes[]> => {
        const parameters = {
          where: '1=1',
          geometry: `${longitude},${latitude}`,
          geometryType: 'esriGeometryPoint',
          inSR: '4326',
          spatialRel: 'esriSpatialRelIntersects',
          ...(errorRadiusMeters > 0 ? { distance: String(errorRadiusMeters), units: 'esriSRUnit_Meter' } : {}),
          outFields: fields,
          returnGeometry: 'false',
          f: 'json',
        };
        return readFeatures(await fetchJson(name, `/${layer}/query`, parameters, { ...options, baseUrl }, either));
      };
      const [areas, panels] = await Promise.all([
        query(AREAS, 'FLD_ZONE,ZONE_SUBTY,SFHA_TF,STATIC_BFE'),
        query(PANELS, 'FIRM_PAN,EFF_DATE'),
      ]).catch((error: unknown) => {
        signal?.throwIfAborted();
        if (!late.aborted) throw error;
        throw new GeocoderUnavailableError(name, 'timed_out', `no answer within ${timeoutMs} ms.`);
      });
      const [panel] = panels;
      return {
        floodAreas: distinct(areas.map(readArea)),
        // On either of two panels, neither is known.
        mapPanel: panels.length === 1 ? asText(panel?.['FIRM_PAN']) : undefined,
        mapPanelDate: panels.length === 1 ? dateOf(panel?.['EFF_DATE']) : undefined,
        windBorneDebris: undefined,
      };
    },
  };
}

/** Errors have status 200 and an `error` in the body. */
function readFeatures(answer: unknown): readonly Attributes[] {
  const { features, error, exceededTransferLimit } = asRecord(answer);
  if (error !== undefined) {
    const code = asNumber(asRecord(error)['code']);
    throw new GeocoderUnavailableError(
      name,
      'bad_status',
      `the service answered with error ${code ?? 'without a code'}.`,
    );
  }
  const list = asList(features);
  if (list === undefined) {
    throw new GeocoderUnavailableError(name, 'malformed_answer', 'the answer has no list of features.');
  }
  // A partial list proves nothing.
  if (exceededTransferLimit === true) return [];
  return list.map((feature) => asRecord(asRecord(feature)['attributes']));
}

function readArea(attributes: Readonly<Record<string, unknown>>): FloodArea {
  const elevation = asNumber(attributes['STATIC_BFE']);
  const { SFHA_TF: isSpecial } = attributes;
  return {
    zone: zoneOf(asText(attributes['FLD_ZONE']), asText(attributes['ZONE_SUBTY'])),
    specialFloodHazardArea: isSpecial === 'T' ? true : isSpecial === 'F' ? false : undefined,
    baseFloodElevationFeet: elevation !== undefined && elevation > NO_ELEVATION ? elevation : undefined,
  };
}

const plainZones = new Set(['a', 'ae', 'ah', 'ao', 'ar', 'a99', 'v', 've', 'd']);

/** Zone X is shaded if its subtype names 0.2 percent, a levee, or shallow flooding of one percent. */
function zoneOf(zone: string | undefined, subtype = ''): string | undefined {
  const word = zone?.trim().toLowerCase();
  if (word === undefined || word !== 'x') return word !== undefined && plainZones.has(word) ? word : undefined;
  if (/MINIMAL/i.test(subtype)) return 'x unshaded';
  return /0\.2 ?PCT|1 PCT|LEVEE|FUTURE/i.test(subtype) ? 'x shaded' : undefined;
}

function dateOf(value: unknown): string | undefined {
  // Since 1970; the placeholder for no date is in the year 9999.
  const ms = asNumber(value);
  if (ms === undefined || ms <= 0 || ms > Date.UTC(2200, 0, 1)) return undefined;
  return new Date(ms).toISOString().slice(0, 10);
}

function distinct(areas: readonly FloodArea[]): FloodArea[] {
  const byText = new Map(areas.map((area) => [JSON.stringify(Object.values(area).map((each) => each ?? null)), area]));
  return [...byText.values()];
}
