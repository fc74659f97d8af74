import { createProperty, defineLine } from '@leeward/engine';
import { choiceField, decimalField, flagField } from '@leeward/engine/vocabulary';
import { GeocoderUnavailableError } from '@leeward/places';
import type { HazardSource, Hazards } from '@leeward/places/hazards';
import { describe, expect, it } from 'vitest';
import type { FoundPlace } from '../distance/found-place.ts';
import { asksForHazards, lookUpHazards } from './look-up-hazards.ts';

const change = { kind: 'never' } as const;
const { vocabulary } = defineLine({
  line: 'basement',
  title: 'Basements',
  noun: 'basement',
  policyTypes: ['basement'],
  fields: [
    choiceField('flood_zone', {
      label: 'zone',
      words: ['ae', 've', 'x unshaded'],
      change,
      description: 'Zone of the map.',
    }),
    flagField('special_flood_hazard_area', { label: 'hazard area', change, description: 'In a hazard area.' }),
    decimalField('base_flood_elevation_feet', {
      label: 'base elevation',
      unit: 'feet',
      min: -100,
      max: 12_000,
      usual: { min: 1, max: 9_000 },
      change,
      description: 'In feet.',
    }),
  ],
});
const place = { latitude: 27.94, longitude: -82.46, errorRadiusMeters: 30 } as FoundPlace;
const known: Hazards = {
  floodAreas: [{ zone: 've', specialFloodHazardArea: true, baseFloodElevationFeet: 11 }],
  mapPanel: '12057C0354J',
  mapPanelDate: '2021-10-07',
  windBorneDebris: undefined,
};
const source = (hazards: HazardSource['hazards']): HazardSource => ({ name: 'layer', hazards });

async function lookUp(from: HazardSource, values: Record<string, string | boolean> = {}) {
  const property = createProperty({
    vocabulary,
    state: 'fl',
    values,
    asOfMs: Date.UTC(2026, 10, 20),
    effectiveDate: '2026-11-20',
  });
  const warnings: { code: string; path: string; message: string }[] = [];
  const found = await lookUpHazards(property, place, from, { path: '/lat', warnings });
  const knownOf = (name: string) => found.property.values[vocabulary.fields.findIndex((field) => field.name === name)];
  return { ...found, warnings, knownOf };
}

describe('the hazards of a place', () => {
  it('are facts if the request omits them', async () => {
    const { knownOf, knownHazards } = await lookUp(source(async () => known));
    expect([knownOf('flood_zone'), knownOf('special_flood_hazard_area'), knownOf('base_flood_elevation_feet')]).toEqual(
      ['ve', 'yes', 11],
    );
    expect(knownHazards).toMatchObject({
      source: 'layer',
      facts: { flood_zone: 've', special_flood_hazard_area: true },
    });
  });

  it('are taken from the request if it has them', async () => {
    const { knownOf, knownHazards } = await lookUp(
      source(async () => known),
      { flood_zone: 'x unshaded' },
    );
    expect(knownOf('flood_zone')).toBe('x unshaded');
    expect(knownHazards?.facts).not.toHaveProperty('flood_zone');
  });

  it('stay unknown, with a warning, if the source is unavailable; other errors are thrown', async () => {
    const away = source(async () => {
      throw new GeocoderUnavailableError('layer', 'unreachable', 'no connection.');
    });
    const { knownOf, warnings } = await lookUp(away);
    expect(knownOf('flood_zone')).toBeUndefined();
    expect(warnings).toEqual([
      { code: 'hazards_not_looked_up', path: '/lat', message: expect.stringContaining('layer') },
    ]);
    const broken = source(async () => {
      throw new TypeError('Broken.');
    });
    await expect(lookUp(broken)).rejects.toThrow('Broken.');
  });

  it('are looked up only for lines with such fields', () => {
    expect(asksForHazards(vocabulary)).toBe(true);
    expect(asksForHazards({ ...vocabulary, fields: [] })).toBe(false);
  });
});
