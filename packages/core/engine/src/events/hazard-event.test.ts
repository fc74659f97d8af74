import { describe, expect, it } from 'vitest';
import { MAX_EVENTS, parseHazardEvents } from './hazard-event.ts';

const ida = {
  id: 'al092021',
  kind: 'hurricane',
  name: 'Ida',
  position: { latitude: 29.1, longitude: -90.2 },
  alert: 'warning',
  magnitude: 4,
  from: '2021-08-26T15:00:00Z',
  until: null,
};
const square = (west: number, south: number, east: number, north: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  ],
});
const faultsOf = (...events: unknown[]) => {
  const parsed = parseHazardEvents(events);
  return parsed.ok ? [] : parsed.faults.map(({ path, code, message }) => `${path} ${code} ${message}`);
};

describe('parseHazardEvents', () => {
  it('returns valid events unchanged and frozen', () => {
    const input = [
      ida,
      { id: 'q', kind: 'x_dam_failure', area: square(-91, 29, -90, 30), from: '2026-01-01T00:00:00Z' },
    ];
    const parsed = parseHazardEvents(input);
    expect(parsed.ok && parsed.events).toEqual(input);
    expect(parsed.ok && Object.isFrozen(parsed.events) && Object.isFrozen(parsed.events[0])).toBe(true);
    expect(parseHazardEvents([])).toEqual({ ok: true, events: [] });
  });

  it('names the place, the value and the way out of each fault', () => {
    expect(
      faultsOf(
        { ...ida, kind: 'huricane' },
        { ...ida, id: 'b', position: { latitude: Number.NaN, longitude: -190 } },
        { ...ida, id: 'c', until: '2021-08-26T15:00:00Z' },
        { id: 'd', kind: 'flood', from: '2021-08-26' },
        { ...ida, id: 'e', states: ['Louisiana'], counties: ['99999'], alrt: 'watch' },
        { id: 'f', kind: 'flood', from: ida.from },
        { ...ida, id: 'g', area: square(170, 50, -170, 55) },
        {
          ...ida,
          id: 'h',
          area: {
            type: 'Polygon',
            coordinates: [
              [
                [30, -95],
                [30, -94],
                [31, -94],
              ],
            ],
          },
        },
        { ...ida, id: 'c' },
      ),
    ).toMatchInlineSnapshot(`
      [
        "/0/kind unknown_value kind is "huricane"; give one of: hurricane, tropical_storm, tropical_depression, tornado, severe_thunderstorm, wildfire, flood, earthquake, winter_storm, civil_unrest, or a kind of your own, x_…. Did you mean "hurricane"?",
        "/1/position/latitude invalid_type position/latitude is NaN; give a number.",
        "/1/position/longitude out_of_range position/longitude is -190; give a value of at least -180.",
        "/2/until not_after until is "2021-08-26T15:00:00Z", which is not after from, "2021-08-26T15:00:00Z"; give a later instant, or null while the event continues.",
        "/3/from invalid_date "2021-08-26" is not an instant with an offset, like 2026-08-29T12:00:00Z.",
        "/4/alrt unknown_field "alrt" is not a field of this request. Did you mean "alert"?",
        "/4/states/0 unknown_value "Louisiana" is not the abbreviation of a state in lower case. Did you mean "la"?",
        "/4/counties/0 unknown_value "99999" is not the FIPS code of a county; give five digits.",
        "/5 required The event has no place; give one or more of position, area, states and counties.",
        "/6/area invalid_area area: an edge goes from longitude 170 to -170; split the area at the antimeridian.",
        "/7/area invalid_area area: [30, -95] is not a [longitude, latitude] in degrees; were they swapped?",
        "/8/id duplicate_id The events 3 and 9 have the id "c"; give each another id.",
      ]
    `);
  });

  it.each([null, undefined, 'storm', {}, 7])('refuses %s in place of a list', (value) => {
    expect(parseHazardEvents(value)).toMatchObject({ ok: false, faults: [{ path: '', code: 'invalid_type' }] });
  });

  it('refuses 10,000 events without reading them', () => {
    const events = Array.from({ length: 10_000 }, (_, index) => ({ ...ida, id: `e${index}` }));
    expect(faultsOf(...events)).toEqual([expect.stringContaining(`give at most ${MAX_EVENTS}`)]);
  });
});
