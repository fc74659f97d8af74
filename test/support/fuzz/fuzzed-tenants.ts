import { createClient, type LeewardClient, type Schemas } from '@leeward/http/client';
import { good, operatorToken, quoteFields } from '../journey.ts';
import type { Random } from './random.ts';
import type { Hints } from './valid-value.ts';

/** Data of one organization. A fuzzer removes some of it, so there is plenty. */
export interface Tenant {
  readonly organization_id: string;
  readonly team_id: string;
  readonly producerEmail: string;
  readonly quote: string;
  readonly rate: string;
  /** Identifiers by the name that a request gives them. */
  readonly things: Readonly<Record<string, readonly string[]>>;
  readonly tokens: { readonly key: string; readonly team: string; readonly admin: string };
}

const PLENTY = 6;
/** Appointed for good, so that there is always somebody to ask for a quote. */
const carriers = ['sawpalm_home', 'heartpine_mutual', 'brackish_bay', 'sunreach_property'];
const others = ['cedar_brake', 'bayou_mutual', 'marsh_wren', 'pecan_grove', 'larkspur_crest', 'osprey_sound'];

export const ruleSetOf = (key: string, limit: number) => ({
  format: 1,
  carrier: { key, name: `Carrier ${key}` },
  line: 'home',
  version: `1.${limit}`,
  effective: { from: '2026-01-01', until: null },
  programs: [
    {
      id: 'all',
      policy_types: ['ho3'],
      states: ['fl', 'tx'],
      rules: [
        {
          id: 'claims',
          outcome: 'decline',
          code: 'claims',
          when: { all: [{ fact: 'total_claims', operator: 'greaterThan', value: limit }] },
          message: 'More than {total_claims} claims.',
        },
      ],
    },
  ],
});

/**
 * An organization with several of everything, and a quote under way.
 *
 * @param fetch for a service in this process
 */
export async function settleTenant(baseUrl: string, name: string, fetch = globalThis.fetch): Promise<Tenant> {
  const operator = createClient({ baseUrl, token: operatorToken, fetch });
  const organize = () => good(operator.POST('/v1/admin/organizations/create', { body: { name } }));
  const { organization_id } = await organize();
  const of = { organization_id };
  const many = <Item>(make: (index: number) => Promise<Item>) =>
    Promise.all(Array.from({ length: PLENTY }, (_, index) => make(index)));
  const { team_id } = await good(operator.POST('/v1/admin/teams/create', { body: { ...of, name: 'Kept' } }));
  const teams = await many((index) =>
    good(operator.POST('/v1/admin/teams/create', { body: { ...of, name: `Team ${index}` } })),
  );
  const email = `kept@${name}.example`;
  await good(operator.POST('/v1/admin/producers/create', { body: { ...of, team_id, email } }));
  const producers = await many((index) =>
    good(operator.POST('/v1/admin/producers/create', { body: { ...of, team_id, email: `p${index}@${name}.example` } })),
  );
  const appoint = (carrier_key: string) =>
    good(operator.POST('/v1/admin/appointments/create', { body: { ...of, carrier_key } }));
  await Promise.all(carriers.map(appoint));
  const appointments = await Promise.all(others.map(appoint));
  const own = await many((index) =>
    good(
      operator.POST('/v1/admin/carriers/create', { body: { ...of, rule_set: ruleSetOf(`${name}_${index}`, index) } }),
    ),
  );
  const overrides = await Promise.all(
    others.map((carrier_key) =>
      good(operator.POST('/v1/admin/overrides/create', { body: { ...of, carrier_key, exclude: { states: ['ga'] } } })),
    ),
  );
  const mint = (body: object) => good(operator.POST('/v1/admin/tokens/create', { body: { ...of, ...body } }));
  const [key, team, admin] = await Promise.all([
    mint({ scopes: ['underwrite', 'distance', 'rules'] }),
    mint({ team_id }),
    mint({ scopes: ['underwrite', 'quote', 'distance', 'admin'] }),
  ]);
  const spare = await many(() => mint({ scopes: ['distance'] }));
  const { quote, rate } = await quoteOf(createClient({ baseUrl, token: team.token, fetch }), email);
  return {
    organization_id,
    team_id,
    producerEmail: email,
    quote,
    rate,
    things: {
      organization_id: (await many(organize)).map((each) => each.organization_id),
      team_id: teams.map((each) => each.team_id),
      producer_id: producers.map((each) => each.producer_id),
      appointment_id: appointments.map((each) => each.appointment_id),
      carrier_id: own.map((each) => each.carrier_id),
      override_id: overrides.map((each) => each.override_id),
      token_id: spare.map((each) => each.token_id),
    },
    tokens: { key: key.token, team: team.token, admin: admin.token },
  };
}

async function quoteOf(client: LeewardClient, email: string): Promise<{ quote: string; rate: string }> {
  const body: Schemas['QuoteRequest'] = {
    product_code: 'homeowners',
    assigned_producer_email: email,
    form_types: ['ho3'],
    fields: quoteFields,
  };
  const { quote_request_id, rate_index } = await good(client.POST('/api/v1/quote/request', { body }));
  return { quote: quote_request_id, rate: rate_index[0]!.id };
}

/**
 * Returns hints for the fields of an operation’s requests beyond their schemas: words, places, and the tenant's data.
 * Removals name only spare data, since other requests depend on the rest.
 */
export function hintsOf(tenant: Tenant, operationId: string): Hints {
  const isRemoval = operationId.endsWith('Remove');
  const unknown = '01jd4v3x9m8k7h2q5t6w0y1z2a';
  const one = (name: string) => (random: Random) => random.pick([...tenant.things[name]!, unknown]);
  const nullOr = (make: (random: Random) => unknown) => (random: Random) => (random.chance(0.1) ? null : make(random));
  return {
    state: (random) => random.pick(['fl', 'TX', 'Texas', 'la', ' sc ', 'Puerto Rico', 'ny']),
    county: (random) => random.pick(['harris', 'Broward County', 'miami-dade', 'baltimore', 'nowhere', 'charleston']),
    policy_type: (random) => random.pick(['ho3', 'HO-5', 'wind only', 'ex wind', '', null]),
    year_built: (random) => random.pick([1600, 1987, 2004, 26, '1950', 45]),
    roof_age: (random) => random.pick([0, 9, 22, 2010, '14', 200]),
    roof_type: (random) => random.pick(['metal', '3-tab shingle', 'Tile', 'wood shake']),
    as_of: (random) => random.pick(['2026-11-20T12:00:00Z', '2026-09-25T00:00:00-05:00', null]),
    effective_date: (random) => random.pick(['2026-12-01', '1999-12-31', null]),
    lat: (random) => 24 + random.next() * 24,
    lng: (random) => -124 + random.next() * 54,
    address: (random) =>
      random.pick([
        '1600 Ocean Dr, Miami Beach FL 33139',
        '77002',
        { zipcode: '29401' },
        { city: 'Ocala', state: 'FL' },
      ]),
    organization_id: isRemoval
      ? one('organization_id')
      : nullOr((random) => random.pick([tenant.organization_id, tenant.organization_id, unknown])),
    team_id: (random) => (!isRemoval && random.chance(0.4) ? tenant.team_id : one('team_id')(random)),
    producer_id: one('producer_id'),
    appointment_id: one('appointment_id'),
    carrier_id: one('carrier_id'),
    override_id: one('override_id'),
    token_id: one('token_id'),
    subject_id: one('team_id'),
    cursor: nullOr(one('team_id')),
    revision: (random) => random.integer(1, 6),
    carrier_key: (random) => random.pick([...carriers, 'bayou_mutual', 'cedar_brake', 'no_such_carrier']),
    states: nullOr((random) => [random.pick(['fl', 'Georgia', 'sc', 'tx'])]),
    policy_types: nullOr((random) => [random.pick(['ho3', 'HO-5', 'x-wind'])]),
    scopes: nullOr((random) => [random.pick(['underwrite', 'distance', 'quote', 'admin', 'operator'])]),
    rule_set: (random) => ruleSetOf(`own_${random.integer(1, 40)}`, random.integer(0, 5)),
    add_rules: nullOr((random) => [
      { ...ruleSetOf('x', random.integer(0, 9)).programs[0]!.rules[0], id: `own-${random.integer(1, 9)}` },
    ]),
    exclude: nullOr((random) => ({ states: [random.pick(['ga', 'ms'])] })),
    product_code: (random) => (random.chance(0.8) ? 'homeowners' : random.pick(['dwelling_fire', 'wind', 'boats'])),
    assigned_producer_email: (random) => (random.chance(0.9) ? tenant.producerEmail : 'nobody@example.com'),
    form_types: (random) => random.pick([['ho3'], ['HO-3'], null, ['ho5', 'ho3']]),
    carrier_keys: (random) => [random.pick(carriers)],
    fields: (random) => ({
      ...quoteFields,
      dwelling_a: random.integer(1, 2_000_000),
      year_built: random.integer(1900, 2025),
      note: random.pick([1, null, 'x']),
    }),
  };
}
