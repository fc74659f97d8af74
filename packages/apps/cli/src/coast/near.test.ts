import { describe, expect, it } from 'vitest';
import { runWords } from '../testing/run-words.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

async function near(words: readonly string[], environment: Record<string, string> = {}) {
  using folder = temporaryFolder();
  return runWords(['coast', 'near', ...words], { folder: folder.path, environment });
}

describe('leeward coast near', () => {
  it.each([
    [['25.7826', '-80.1341']],
    [['25.7826,', '-80.1341']],
    [['25.7826, -80.1341']],
    [['25.7826,-80.1341', '--coast', 'tidal']],
  ])('takes a point however it is typed: %j', async (words) => {
    const { code, output, errors } = await near(words);
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(output).toContain('The coast is 0.39 miles to the east.');
  });

  it.each([
    [['-14.2781,', '-170.7025'], 'Pacific'],
    [['--json', '--', '-14.2781', '-170.7025'], '"shore": "Pacific"'],
    [['-14.2781,-170.7025', '--json'], '"shore": "Pacific"'],
  ])('takes latitudes below zero: %j', async (words, shown) => {
    const { code, output } = await near(words);
    expect(code).toBe(0);
    expect(output).toContain(shown);
  });

  it('says how likely the shore is within lengths, like the HTTP API', async () => {
    const words = ['25.7826', '-80.1341', '--within', '1000ft,1mi,0.5km'];
    const { code, output } = await near([...words, '--json']);
    expect(code).toBe(0);
    const { probability_within: probabilities } = JSON.parse(output) as {
      probability_within: { feet?: number; miles?: number; meters: number; probability: number | null }[];
    };
    expect(probabilities.map(({ probability: _, ...limit }) => limit)).toEqual([
      { feet: 1000, meters: 304.8 },
      { miles: 1, meters: 1609.344 },
      { meters: 500 },
    ]);
    const text = (probability: number | null) =>
      probability === null ? 'not known' : `${Number((100 * probability).toFixed(2))} % likely`;
    const [feet, mile, half] = probabilities.map(({ probability }) => text(probability));
    expect((await near(words)).output).toContain(
      `Within 1,000 feet: ${feet}\nWithin 1 mile: ${mile}\nWithin 0.5 kilometers: ${half}\n`,
    );
    expect((await near(['25.7826', '-80.1341'])).output).not.toContain('Within');
  });

  it('answers an address with its precision, like the HTTP API', async () => {
    const words = ['1600', 'Ocean', 'Dr,', 'Miami', 'Beach', 'FL', '33139'];
    const { code, output, errors } = await near([...words, '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(output)).toMatchObject({
      location: { source: 'zip_gazetteer', precision: 'zip_centroid', error_radius_meters: 3_000 },
      coast_definition: 'tidal',
      warnings: [{ code: 'coarse_location' }, { code: 'bearing_uncertain' }].map(({ code }) => ({
        code,
        path: '/address',
      })),
    });
    expect(errors).toContain(
      'Miami Beach, FL 33139: the center of the ZIP code, within 1.86 miles (table of ZIP codes)',
    );
    expect(errors).toContain('The street could not be placed, because no geocoder here knows streets');
    expect(errors).toContain('GeoNames');
  });

  it.each<[string[], string, number?]>([
    [['PO Box 12, Miami FL'], '"PO Box 12" is a PO box'],
    [['Springfield'], 'A city of that name is in MO, MA, IL'],
    [['Auburn, CA'], 'fits several places'],
    [['-80.13,', '25.78'], 'Were they swapped?'],
    [['25.78', '80.13'], 'Is the minus sign missing?'],
    [['51.5', '-0.12'], 'beyond the coverage of the OpenStreetMap shoreline, 2024: use'],
    [['25.78', '-80.13', '--jsn'], "unknown option '--jsn'\n(Did you mean --json?)", 2],
    [['25.78', '-80.13', '--coast', 'sea'], '"sea"'],
    [['25.78', '-80.13', '--within', '1000'], '--within names "1000"; give lengths like 1000ft, 1mi or 500m.'],
    [['25.78', '-80.13', '--within', '1mi,0ft'], '--within names "0ft"'],
    [['25.78', '-80.13', '--within', '1mi,1mile'], '--within lists 1 mile twice'],
    [['25.78', '-80.13', '--within', '1m,2m,3m,4m,5m,6m,7m,8m,9m,10m,11m'], 'give at most 10'],
  ])('refuses %j in a sentence', async (words, message, expected = 1) => {
    const { code, output, errors } = await near(words);
    expect({ code, output }).toEqual({ code: expected, output: '' });
    expect(errors).toContain(message);
    expect(errors).not.toMatch(/^\s+at /m);
  });

  it('names every fault of the geocoders’ settings before it looks anything up', async () => {
    const { code, errors } = await near(['33139'], { LEEWARD_GEOCODERS: 'nominatim,photon' });
    expect(code).toBe(2);
    for (const name of ['LEEWARD_NOMINATIM_USER_AGENT', 'LEEWARD_PHOTON_URL']) expect(errors).toContain(name);
  });
});
