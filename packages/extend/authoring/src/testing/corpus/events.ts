import type { HazardEvent } from '@leeward/engine/events';
import { createRandom, pick, wholeNumber } from '../../../../../../test/support/random.ts';
import { file, type HomeOfTopic, type Topic, test } from './topic.ts';

type Json = Record<string, unknown>;
type Location = NonNullable<HomeOfTopic['location']>;

type Change = { readonly [Key in keyof HazardEvent]?: HazardEvent[Key] | undefined };

/** An undefined key is removed. */
function altered(event: HazardEvent, change: Change): HazardEvent {
  const entries = Object.entries({ ...event, ...change }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as unknown as HazardEvent;
}

/** Homes of the corpus are decided at 2026-11-20T12:00:00Z. */
const storm: HazardEvent = {
  id: 'storm',
  kind: 'hurricane',
  name: 'Rosa',
  position: { latitude: 29, longitude: -95 },
  from: '2026-11-18T00:00:00Z',
};
const quake = altered(storm, { id: 'quake', kind: 'earthquake', name: undefined, magnitude: 5.5 });

const some = (where: readonly object[], operator = 'greaterThanInclusive', value = 1): Json => ({
  count: 'events',
  where: { all: where },
  operator,
  value,
});
const moratorium = (when: readonly object[], rest: Json = {}): Json => ({
  id: 'stop',
  when: { all: when },
  message: 'Stopped: {event}.',
  ...rest,
});
const at = (latitude: number, longitude: number, radiusMeters = 0): Location => ({ latitude, longitude, radiusMeters });

const home = (
  about: string,
  events: readonly HazardEvent[] | undefined,
  rest: Partial<HomeOfTopic> = {},
): HomeOfTopic => ({
  about,
  values: {},
  ...(events ? { events } : {}),
  ...rest,
});

const topic = (name: string, stop: Json, homes: readonly HomeOfTopic[]): Topic => ({
  name: `events/${name}`,
  files: [file([], { moratoria: [stop] })],
  homes,
});

/** Homes with the same event, changed. */
const changed = (base: HazardEvent, changes: Readonly<Record<string, Change>>): HomeOfTopic[] =>
  Object.entries(changes).map(([about, change]) => home(about, [altered(base, change)]));

/** Events of every kind of place, at both sides of each limit. */
export function eventTopics(): Topic[] {
  return [
    topic('kind', moratorium([some([test('kind', 'in', ['hurricane', 'x_dam_failure'])])]), [
      ...changed(storm, {
        'a kind of the list': {},
        'a kind of the host': { kind: 'x_dam_failure' },
        'another kind': { kind: 'tornado' },
        'another kind of the host': { kind: 'x_riot' },
        'before its start': { from: '2026-11-20T12:00:01Z' },
        'at its start': { from: '2026-11-20T12:00:00Z' },
      }),
      home('two events that match', [storm, { ...storm, id: 'other', name: 'Otto' }]),
      home('no events', []),
      home('unknown events', undefined),
      home('one of two events', [quake, storm]),
    ]),
    topic(
      'alert',
      moratorium([some([test('alert', 'in', ['watch', 'warning'])])]),
      changed(storm, {
        'a warning': { alert: 'warning' },
        'a watch': { alert: 'watch' },
        'no alert': { alert: 'none' },
        'an unknown alert': {},
      }),
    ),
    topic(
      'magnitude',
      moratorium([some([test('kind', 'equal', 'earthquake'), test('magnitude', 'greaterThanInclusive', 5)])]),
      changed(quake, {
        'at the limit': { magnitude: 5 },
        'below the limit': { magnitude: 4.9 },
        'an unknown magnitude': { magnitude: undefined },
        'an unknown magnitude of another kind': { kind: 'hurricane', magnitude: undefined },
        'above the limit, with a name': { magnitude: 5.6, name: 'Baytown' },
        'above the limit': { magnitude: 5.6 },
      }),
    ),
    topic(
      'ended',
      moratorium([some([test('hours_since_end', 'lessThan', 72)])]),
      changed(storm, {
        'it continues': {},
        'an open end': { until: null },
        'an end in the future': { until: '2026-11-21T00:00:00Z' },
        'it ends now': { until: '2026-11-20T12:00:00Z' },
        'a second within the limit': { from: '2026-11-10T00:00:00Z', until: '2026-11-17T12:00:01Z' },
        'at the limit': { from: '2026-11-10T00:00:00Z', until: '2026-11-17T12:00:00Z' },
        'a second after the limit': { from: '2026-11-10T00:00:00Z', until: '2026-11-17T11:59:59Z' },
      }),
    ),
    topic(
      'ongoing',
      moratorium([some([test('ongoing', 'equal', true)])]),
      changed(storm, {
        'it continues': {},
        'a second before its end': { until: '2026-11-20T12:00:01Z' },
        'at its end': { until: '2026-11-20T12:00:00Z' },
      }),
    ),
    topic(
      'started',
      moratorium([some([test('hours_since_start', 'lessThan', 24), test('days_since_start', 'equal', 1)])]),
      changed(storm, {
        // Noon in Greenwich is 6 o'clock in Texas.
        'the day before in Texas': { from: '2026-11-20T05:59:59Z' },
        'the same day in Texas': { from: '2026-11-20T06:00:00Z' },
        'more than a day': { from: '2026-11-19T12:00:00Z' },
        'less than a day': { from: '2026-11-19T12:00:01Z' },
      }),
    ),
    topic(
      'box',
      moratorium([
        some([
          test('latitude', 'greaterThanInclusive', 18),
          test('latitude', 'lessThanInclusive', 32),
          test('longitude', 'greaterThanInclusive', -98),
          test('longitude', 'lessThanInclusive', -80),
        ]),
      ]),
      changed(storm, {
        inside: {},
        'on the corner': { position: { latitude: 32, longitude: -80 } },
        'north of it': { position: { latitude: 32.01, longitude: -90 } },
        'east of it': { position: { latitude: 30, longitude: -79.99 } },
        'without a position': { position: undefined, states: ['tx'] },
      }),
    ),
    ...distanceTopics(),
    ...coverTopics(),
    ...exemptTopics(),
  ];
}

function distanceTopics(): Topic[] {
  const near = (fact: string, limit: number) => moratorium([some([test(fact, 'lessThan', limit)])]);
  const located = (about: string, location: Location, events: readonly HazardEvent[] = [storm]) =>
    home(about, events, { location });
  const north = (degrees: number) => [{ ...storm, position: { latitude: 29.8 + degrees, longitude: -95.4 } }];
  return [
    // A degree of latitude is 69.09 miles.
    topic('miles/position', near('miles_from_home', 100), [
      located('exact and near', at(30.44, -95)),
      located('exact and beyond', at(30.45, -95)),
      located('within a radius that crosses the limit', at(30.44, -95, 2_000)),
      located('within a radius on this side', at(30.4, -95, 2_000)),
      located('within a radius on the other side', at(30.5, -95, 2_000)),
      located('at the event', at(29, -95)),
    ]),
    topic('miles/county', near('miles_from_home', 100), [
      home('all of the county is near', north(-0.5)),
      home('all of the county is far', north(-4)),
      home('a part of the county is near', north(-1.45)),
      home('both of two counties are near', north(-0.5), { counties: ['harris', 'galveston'] }),
      home('one of two counties is near', north(0), { counties: ['harris', 'travis'] }),
      home('any county, near one of them', north(0), { counties: undefined }),
      home('any county, far from all', [{ ...storm, position: { latitude: 40, longitude: -74 } }], {
        counties: undefined,
      }),
      home('an unknown list and county', undefined, { counties: undefined }),
    ]),
    topic('miles/outside', moratorium([some([test('miles_from_home', 'greaterThan', 100)])]), [
      located('near', at(30.44, -95)),
      located('beyond', at(30.45, -95)),
      home('all of the county is far', north(-4)),
      home('a part of the county is far', north(-1.45)),
    ]),
    topic('miles/from-county', near('miles_from_county', 50), [
      home('in the county', north(0)),
      home('far from it', north(-3)),
      home('near one of two counties', north(0), { counties: ['harris', 'el paso'] }),
      home('without a position', [altered(storm, { position: undefined, counties: ['48201'] })]),
    ]),
    topic('miles/from-state', near('miles_from_state', 50), [
      home('in the state', north(0)),
      home('far from it', [{ ...storm, position: { latitude: 20, longitude: -80 } }]),
    ]),
    topic('miles/two', moratorium([some([test('miles_from_home', 'lessThan', 100)], 'greaterThanInclusive', 2)]), [
      located('two near events', at(29.8, -95.4), [storm, quake]),
      located('a near and a far event', at(29.8, -95.4), [
        storm,
        { ...quake, position: { latitude: 35, longitude: -98 } },
      ]),
      located('one event', at(29.8, -95.4)),
    ]),
  ];
}

function coverTopics(): Topic[] {
  const ring = [
    [-95.6, 29.5],
    [-95.2, 29.5],
    [-95.2, 30],
    [-95.6, 30],
    [-95.6, 29.5],
  ] as const;
  const area: NonNullable<HazardEvent['area']> = { type: 'Polygon', coordinates: [ring] };
  const fire: HazardEvent = { id: 'fire', kind: 'wildfire', from: '2026-11-18T00:00:00Z' };
  const covers = (value: boolean) => moratorium([some([test('covers_home', 'equal', value)])]);
  return [
    topic('covers/states', covers(true), [
      ...changed(fire, {
        'its state': { states: ['la', 'tx'] },
        'another state': { states: ['la'] },
        'no whole state': { states: [] },
        'its county': { counties: ['48201'] },
        'another county': { counties: ['48453'] },
        'another state, its county': { states: ['la'], counties: ['48201'] },
        'a position alone': { position: { latitude: 29.8, longitude: -95.4 } },
      }),
      home('one of two counties', [{ ...fire, counties: ['48201'] }], { counties: ['harris', 'travis'] }),
      home('any county', [{ ...fire, counties: ['48201'] }], { counties: undefined }),
    ]),
    topic('covers/area', covers(true), [
      home('inside', [{ ...fire, area }], { location: at(29.8, -95.4) }),
      home('outside', [{ ...fire, area }], { location: at(29.8, -95.1) }),
      home('perhaps inside', [{ ...fire, area }], { location: at(29.8, -95.199, 500) }),
      home('inside within its radius', [{ ...fire, area }], { location: at(29.8, -95.4, 500) }),
      home('somewhere in the county', [{ ...fire, area }]),
      home('in a county far away', [{ ...fire, area }], { counties: ['el paso'] }),
      home('outside, in a county of the event', [{ ...fire, area, counties: ['48201'] }], {
        location: at(29.8, -95.1),
      }),
    ]),
    topic('covers/not', covers(false), [
      home('inside', [{ ...fire, area }], { location: at(29.8, -95.4) }),
      home('outside', [{ ...fire, area }], { location: at(29.8, -95.1) }),
      home('its county', [{ ...fire, counties: ['48201'] }]),
      home('another county', [{ ...fire, counties: ['48453'] }]),
    ]),
  ];
}

function exemptTopics(): Topic[] {
  const kind = test('kind', 'equal', 'hurricane');
  const quoted = some([kind, test('quoted_before', 'equal', false)], 'equal', 0);
  const on = (quoted_on: string | undefined, effectiveDate: string, about: string): HomeOfTopic => ({
    ...home(about, [storm], { effectiveDate }),
    values: quoted_on === undefined ? {} : { quoted_on },
  });
  const later = '2026-12-01';
  return [
    // The storm starts on 17 November in Texas.
    topic('exempt/quoted', moratorium([some([kind])], { unless: { all: [quoted] } }), [
      on('2026-11-16', later, 'quoted on the day before'),
      on('2026-11-17', later, 'quoted on the day of the start'),
      on('2026-11-18', later, 'quoted later'),
      on(undefined, later, 'quoted on an unknown day'),
      home('unknown events', undefined),
      home('no events', []),
    ]),
    topic(
      'exempt/effective',
      moratorium([some([kind])], { unless: { all: [test('days_until_effective', 'greaterThan', 10)] } }),
      [
        on(undefined, '2026-11-30', 'at the limit'),
        on(undefined, later, 'after the limit'),
        on(undefined, '2026-11-20', 'today'),
        { ...on(undefined, later, 'the day before in Texas, the limit in Greenwich'), asOf: '2026-11-21T05:59:59Z' },
        { ...on(undefined, later, 'the limit in Texas'), asOf: '2026-11-21T06:00:00Z' },
      ],
    ),
    topic(
      'exempt/only-unless',
      { id: 'stop', unless: { all: [some([kind], 'equal', 0)] }, message: 'Stopped: {event}.' },
      [home('a storm', [storm]), home('no storm', [quake]), home('unknown events', undefined)],
    ),
    topic(
      'window',
      moratorium([some([kind])], {
        from: '2026-11-20T12:00:00Z',
        until: '2026-11-22T00:00:00Z',
        states: ['tx'],
        counties: { tx: { include: ['harris'] } },
        policy_types: ['ho3'],
      }),
      [
        home('at its start', [storm]),
        home('before its start', [storm], { asOf: '2026-11-20T11:59:59Z' }),
        home('at its end', [storm], { asOf: '2026-11-22T00:00:00Z' }),
        home('another county', [storm], { counties: ['travis'] }),
        home('any county', [storm], { counties: undefined }),
        home('another policy type', [storm], { policyType: 'ho5' }),
        home('unknown events before its start', undefined, { asOf: '2026-11-20T11:59:59Z' }),
      ],
    ),
    {
      name: 'events/rules',
      files: [
        file([
          { id: 'ask', outcome: 'refer', code: 'x_storm', message: 'Near {event}.', when: { all: [some([kind])] } },
          {
            id: 'calm',
            outcome: 'require',
            code: 'x_calm',
            message: 'No storm.',
            when: { all: [some([kind], 'equal', 0)] },
          },
          {
            id: 'strong',
            outcome: 'inform',
            code: 'x_strong',
            message: 'Strong.',
            when: { all: [{ max: 'events', of: 'magnitude', operator: 'greaterThan', value: 3 }] },
          },
        ]),
      ],
      homes: [
        home('a storm', [storm]),
        home('a strong storm', [{ ...storm, magnitude: 4 }]),
        home('an earthquake', [quake]),
        home('no events', []),
        home('unknown events', undefined),
      ],
    },
  ];
}

const kinds = ['hurricane', 'earthquake', 'x_dam_failure'];

/** One test of an event, with limits near its random values. */
function randomEventTest(random: () => number): object {
  const miles = () => wholeNumber(random, 0, 40) * 10;
  const order = pick(random, ['lessThan', 'greaterThan', 'lessThanInclusive']);
  return pick(random, [
    () => test('kind', pick(random, ['equal', 'notEqual']), pick(random, kinds)),
    () => test('miles_from_home', order, miles()),
    () => test('miles_from_county', order, miles()),
    () => test('miles_from_state', order, miles()),
    () => test('covers_home', 'equal', random() < 0.5),
    () => test('magnitude', order, wholeNumber(random, 1, 5)),
    () => test('alert', 'in', pick(random, [['watch', 'warning'], ['none']])),
    () => test('hours_since_end', order, wholeNumber(random, 0, 48)),
    () => test('days_since_start', order, wholeNumber(random, 0, 4)),
    () => test('quoted_before', 'equal', random() < 0.5),
    () => test('ongoing', 'equal', random() < 0.5),
  ])();
}

function randomEvent(random: () => number, id: string): HazardEvent {
  const [x, y] = [-107 + 15 * random(), 26 + 10 * random()];
  const [wide, high] = [0.1 + 3 * random(), 0.1 + 3 * random()];
  const ring = [
    [x, y],
    [x + wide, y],
    [x + wide / 2, y + high],
    [x, y],
  ] as const;
  const has = (share: number) => random() < share;
  return {
    id,
    kind: pick(random, kinds),
    from: `2026-11-${pick(random, ['15', '17', '18', '20'])}T0${wholeNumber(random, 0, 9)}:30:00Z`,
    states: has(0.1) ? ['tx'] : [],
    ...(has(0.6) ? { position: { latitude: y, longitude: x } } : {}),
    ...(has(0.5) ? { area: { type: 'Polygon', coordinates: [ring] } } : {}),
    ...(has(0.4) ? { counties: [pick(random, ['48201', '48453', '48141'])] } : {}),
    ...(has(0.4) ? { until: `2026-11-${pick(random, ['20T11', '20T12', '20T20', '21T12'])}:00:00Z` } : {}),
    ...(has(0.5) ? { name: pick(random, ['Ida', 'Otto']) } : {}),
    ...(has(0.6) ? { magnitude: wholeNumber(random, 1, 10) / 2 } : {}),
    ...(has(0.6) ? { alert: pick(random, ['none', 'watch', 'warning'] as const) } : {}),
  };
}

/** Random moratoria and rules about events, and homes with random events and places. */
export function randomEventTopics(count: number, homesOfEach: number, seed = 50): Topic[] {
  const random = createRandom(seed);
  const leaf = () => {
    const where = Array.from({ length: wholeNumber(random, 1, 2) }, () => randomEventTest(random));
    const number = pick(random, [{ count: 'events' }, { count: 'events' }, { max: 'events', of: 'magnitude' }]);
    const [operator, value] = pick(random, [
      ['greaterThan', 0],
      ['equal', 0],
      ['lessThan', 2],
    ] as const);
    return { ...number, where: { [pick(random, ['all', 'any'])]: where }, operator, value };
  };
  const condition = () => ({ [pick(random, ['all', 'any'])]: [leaf(), pick(random, [leaf(), { not: leaf() }])] });
  return Array.from({ length: count }, (_, each): Topic => {
    const moratorium = { id: 'stop', message: '{event} is near.', [pick(random, ['when', 'unless'])]: condition() };
    const days = test('days_until_effective', 'greaterThan', wholeNumber(random, 0, 10));
    const rule = {
      id: 'ask',
      outcome: 'refer',
      code: 'x_ask',
      message: 'Near {event}.',
      when: { all: [leaf(), days] },
    };
    return {
      name: `events/random-${seed}-${each + 1}`,
      files: [file([rule], { moratoria: [moratorium] })],
      homes: Array.from({ length: homesOfEach }, (): HomeOfTopic => {
        const events = Array.from({ length: wholeNumber(random, 0, 5) }, (__, index) =>
          randomEvent(random, `e${index}`),
        );
        const place = pick(random, [
          () => ({ location: at(26 + 8 * random(), -105 + 10 * random(), pick(random, [0, 500, 20_000])) }),
          () => ({ counties: pick(random, [['harris'], ['travis', 'el paso'], undefined]) }),
        ])();
        return {
          ...home('random events', random() < 0.9 ? events : undefined, place),
          values: random() < 0.5 ? { quoted_on: `2026-11-1${wholeNumber(random, 4, 9)}` } : {},
          effectiveDate: `2026-11-2${wholeNumber(random, 0, 9)}`,
        };
      }),
    };
  });
}
