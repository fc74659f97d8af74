import { describe, expect, it } from 'vitest';
import { respondJson, respondText, startAnswerServer } from '../testing/index.ts';
import { hazardFacts } from './hazard-facts.ts';
import type { Hazards } from './hazards.ts';
import { createNationalFloodHazardLayer } from './national-flood-hazard-layer.ts';

// From the service's directory and the FIRM Database Technical Reference, not recorded.
const area = (FLD_ZONE: string, ZONE_SUBTY: string | null, SFHA_TF: string, STATIC_BFE: number) => ({
  attributes: { FLD_ZONE, ZONE_SUBTY, SFHA_TF, STATIC_BFE },
});
const shapeOf = (features: unknown[], name: string) => ({
  displayFieldName: name,
  fieldAliases: {},
  fields: [{ name, type: 'esriFieldTypeString', alias: name, length: 30 }],
  features,
});
const panel = { attributes: { FIRM_PAN: '12057C0354J', EFF_DATE: Date.UTC(2021, 9, 7) } };
const coast = area('AE', null, 'T', 9);
const inland = area('X', '0.2 PCT ANNUAL CHANCE FLOOD HAZARD', 'F', -9999);

async function ask(areas: unknown[], panels: unknown[] = [panel], errorRadiusMeters?: number) {
  const server = await startAnswerServer((request, response) => {
    const isPanel = request.url?.startsWith('/3/query') === true;
    respondJson(isPanel ? shapeOf(panels, 'FIRM_PAN') : shapeOf(areas, 'FLD_ZONE'))(request, response);
  });
  try {
    const layer = createNationalFloodHazardLayer({ baseUrl: server.baseUrl });
    const hazards = await layer.hazards({ latitude: 27.94, longitude: -82.46, errorRadiusMeters });
    return { hazards, requests: server.requests };
  } finally {
    await server.close();
  }
}

describe('the National Flood Hazard Layer', () => {
  it('requests areas and panels at the point, without outlines', async () => {
    const { hazards, requests } = await ask([coast]);
    expect(hazards).toEqual({
      floodAreas: [{ zone: 'ae', specialFloodHazardArea: true, baseFloodElevationFeet: 9 }],
      mapPanel: '12057C0354J',
      mapPanelDate: '2021-10-07',
      windBorneDebris: undefined,
    });
    expect(requests.map((each) => each.split('?')[0]).sort()).toEqual(['GET /28/query', 'GET /3/query']);
    for (const request of requests) {
      const query = new URL(request.split(' ')[1]!, 'http://x').searchParams;
      expect(query.get('geometry')).toBe('-82.46,27.94');
      expect([query.get('inSR'), query.get('returnGeometry'), query.get('distance')]).toEqual(['4326', 'false', null]);
    }
  });

  it('requests everything within the error radius of the place', async () => {
    const { hazards, requests } = await ask([coast, inland, coast], [panel, panel], 120);
    expect(requests.every((each) => each.includes('distance=120') && each.includes('esriSRUnit_Meter'))).toBe(true);
    expect(hazards.floodAreas.map(({ zone }) => zone)).toEqual(['ae', 'x shaded']);
    expect([hazards.mapPanel, hazards.mapPanelDate]).toEqual([undefined, undefined]);
  });

  it.each([
    [area('X', 'AREA OF MINIMAL FLOOD HAZARD', 'F', -9999), 'x unshaded'],
    [area('X', 'AREA WITH REDUCED FLOOD RISK DUE TO LEVEE', 'F', -9999), 'x shaded'],
    [area('X', null, 'F', -9999), undefined],
    [area('VE', null, 'T', 14), 've'],
    [area('A99', null, 'T', -9999), 'a99'],
    [area('OPEN WATER', null, 'F', -9999), undefined],
    [area('AREA NOT INCLUDED', null, 'U', -8888 - 2000), undefined],
    [{ attributes: null }, undefined],
  ])('%j is %s', async (feature, zone) => {
    const { hazards } = await ask([feature]);
    expect(hazards.floodAreas.map((each) => each.zone)).toEqual([zone]);
  });

  it('returns no areas for an unmapped place', async () => {
    const { hazards } = await ask([], []);
    expect(hazards).toEqual({
      floodAreas: [],
      mapPanel: undefined,
      mapPanelDate: undefined,
      windBorneDebris: undefined,
    });
    expect(hazardFacts(hazards)).toEqual({});
  });

  it('returns nothing for a place with a large error radius or a truncated answer', async () => {
    const { hazards, requests } = await ask([coast], [panel], 8_000);
    expect([hazards.floodAreas, requests]).toEqual([[], []]);
    const server = await startAnswerServer(
      respondJson({ ...shapeOf([coast], 'FLD_ZONE'), exceededTransferLimit: true }),
    );
    const layer = createNationalFloodHazardLayer({ baseUrl: server.baseUrl });
    expect((await layer.hazards({ latitude: 27.94, longitude: -82.46 })).floodAreas).toEqual([]);
    await server.close();
  });

  it.each([
    [respondJson({ error: { code: 500, message: 'Error performing query operation', details: [] } }), 'bad_status'],
    [respondJson({ message: 'Hello' }), 'malformed_answer'],
    [respondJson(null), 'malformed_answer'],
    [respondText('<html>Service Unavailable</html>', 'text/html'), 'malformed_answer'],
    [respondText('', 'text/plain', 503), 'bad_status'],
  ])('throws if the service returns something else', async (respond, kind) => {
    const server = await startAnswerServer(respond);
    const layer = createNationalFloodHazardLayer({ baseUrl: server.baseUrl });
    await expect(layer.hazards({ latitude: 27.94, longitude: -82.46 })).rejects.toMatchObject({ kind });
    await server.close();
  });
});

it('gives up on a layer that does not answer, or when its caller does', async () => {
  const server = await startAnswerServer(() => {});
  const layer = createNationalFloodHazardLayer({ baseUrl: server.baseUrl, timeoutMs: 50 });
  const place = { latitude: 27.94, longitude: -82.46 };
  await expect(layer.hazards(place)).rejects.toMatchObject({ kind: 'timed_out' });
  await expect(layer.hazards(place, { signal: AbortSignal.abort(new Error('Gone.')) })).rejects.toThrow('Gone.');
  await server.close();
});

describe('hazards as facts', () => {
  const known: Hazards = {
    floodAreas: [{ zone: 'ae', specialFloodHazardArea: true, baseFloodElevationFeet: 9 }],
    mapPanel: undefined,
    mapPanelDate: undefined,
    windBorneDebris: true,
  };

  it('are values for a known place, words and bounds for an uncertain one', () => {
    expect(hazardFacts(known)).toEqual({
      flood_zone: 'ae',
      special_flood_hazard_area: true,
      base_flood_elevation_feet: 9,
      wind_borne_debris: true,
    });
    const near = { zone: 've', specialFloodHazardArea: true, baseFloodElevationFeet: 13 };
    expect(hazardFacts({ ...known, floodAreas: [...known.floodAreas, near] })).toMatchObject({
      flood_zone: { kind: 'one of', words: ['ae', 've'] },
      special_flood_hazard_area: true,
      base_flood_elevation_feet: { kind: 'between', min: 9, max: 13 },
    });
  });

  it('are unknown if one of the areas lacks the value', () => {
    const open = { zone: undefined, specialFloodHazardArea: false, baseFloodElevationFeet: undefined };
    expect(hazardFacts({ ...known, windBorneDebris: undefined, floodAreas: [...known.floodAreas, open] })).toEqual({});
  });
});
