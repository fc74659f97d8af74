import { describe, expect, it } from 'vitest';
import type { Geocoder, GeocoderAnswer } from '../geocoder/geocoder.ts';
import { GeocoderUnavailableError } from '../geocoder/geocoder-unavailable-error.ts';
import { httpGeocoderCases } from './http-geocoder-cases.ts';
import { foundAnswer } from './scripted-geocoder.ts';

type Place = { readonly lat: number; readonly lon: number };

/** A correct adapter; a test can break each property. */
const habits = {
  redirect: 'manual' as 'manual' | 'follow',
  obeysSignal: true,
  checksStatus: true,
  checksPoint: true,
  limitsBytes: true,
  wrapsErrors: true,
  revealsKey: false,
  choose: (places: readonly GeocoderAnswer[]): GeocoderAnswer => {
    const candidates = places.flatMap((place) => (place.status === 'found' ? [place.geocode] : []));
    if (candidates.length > 1) return { status: 'ambiguous', candidates };
    return places[0] ?? { status: 'not_found', code: 'no_match', message: 'Nothing.' };
  },
};

function createAdapter(baseUrl: string, habit: typeof habits): Geocoder {
  const name = 'small';
  const fault = (kind: ConstructorParameters<typeof GeocoderUnavailableError>[1], retryAfterSeconds?: number) =>
    new GeocoderUnavailableError(name, kind, habit.revealsKey ? 'key=s3cret' : 'no', { retryAfterSeconds });
  const get = async (url: string, signal: AbortSignal | undefined, hops: number): Promise<unknown> => {
    const response = await fetch(url, {
      redirect: habit.redirect,
      signal: habit.obeysSignal ? (signal ?? null) : null,
    }).catch(() => {
      if (habit.obeysSignal) signal?.throwIfAborted();
      throw fault('unreachable');
    });
    const to = response.headers.get('location');
    if (to !== null && habit.redirect === 'manual') {
      const next = new URL(to, url);
      if (next.origin !== new URL(url).origin || hops > 2) throw fault('redirected');
      return get(next.href, signal, hops + 1);
    }
    if (!response.ok && habit.checksStatus) throw fault('bad_status', Number(response.headers.get('retry-after') ?? 0));
    const text = await response.text().catch(() => {
      if (habit.obeysSignal) signal?.throwIfAborted();
      throw fault('unreachable');
    });
    if (text.length > 2_000_000 && habit.limitsBytes) throw fault('answer_too_large');
    try {
      return JSON.parse(text);
    } catch (error) {
      throw habit.wrapsErrors ? fault('malformed_answer') : error;
    }
  };
  return {
    name,
    async geocode(_, { signal } = {}) {
      if (habit.obeysSignal) signal?.throwIfAborted();
      const places = ((await get(`${baseUrl}/?q=1`, signal, 0)) as { places?: Place[] } | null)?.places;
      if (places === undefined) throw fault('malformed_answer');
      const answers = places.map(({ lat, lon }) => {
        const isPoint = Math.abs(lat) <= 90 && Math.abs(lon) <= 180;
        if (!isPoint && habit.checksPoint) throw fault('malformed_answer');
        return foundAnswer({ geocoder: name, latitude: lat, longitude: lon });
      });
      return habit.choose(answers);
    },
  };
}

async function failures(change: Partial<typeof habits>): Promise<readonly string[]> {
  const cases = httpGeocoderCases({
    create: (baseUrl) => createAdapter(baseUrl, { ...habits, ...change }),
    match: {
      address: { line1: '1 Main St', city: 'Miami', state: 'fl', zip: '33139' },
      body: { places: [{ lat: 25.75, lon: -80.25 }] },
      expected: { latitude: 25.75, longitude: -80.25 },
    },
    notFound: { places: [] },
    ambiguous: {
      places: [
        { lat: 25.75, lon: -80.25 },
        { lat: 26.75, lon: -80.25 },
      ],
    },
    secret: 's3cret',
  });
  const results = await Promise.allSettled(cases.map(({ run }) => run()));
  return cases.flatMap(({ name }, index) => (results[index]?.status === 'rejected' ? [name] : []));
}

describe('the suite for adapters', () => {
  it('passes a correct adapter', async () => {
    expect(await failures({})).toEqual([]);
  });

  it.each<readonly [string, Partial<typeof habits>, RegExp]>([
    ['follows redirects anywhere', { redirect: 'follow' }, /refuses a redirect to another host/],
    ['ignores its signal', { obeysSignal: false }, /rejects when its signal is aborted/],
    ['takes any status', { checksStatus: false }, /status 429/],
    ['takes any point', { checksPoint: false }, /off the globe/],
    ['reads endless answers', { limitsBytes: false }, /an endless document/],
    ['throws other errors', { wrapsErrors: false }, /HTML with status 200/],
    ['reveals its key', { revealsKey: true }, /status 500/],
    ['chooses the first of two', { choose: (places) => places[0] ?? habits.choose([]) }, /does not choose/],
    [
      'always finds something',
      { choose: (places) => places[0] ?? foundAnswer({ geocoder: 'small' }) },
      /unknown address/,
    ],
  ])('fails an adapter that %s', async (_, change, name) => {
    expect((await failures(change)).join('\n')).toMatch(name);
  });
});
