import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAgency } from './support/agency.ts';
import { type Contract, type ContractCheck, createContractCheck } from './support/contract-check.ts';
import { runLeewardHere } from './support/leeward-here.ts';
import { type RunningLeeward, workspace } from './support/running-leeward.ts';
import { smallCoastline } from './support/small-coastline.ts';

const operator = 'operator of a service whose document is tested';
const square = [
  [
    [-80.2, 25.7],
    [-80.1999, 25.7],
    [-80.1999, 25.7001],
    [-80.2, 25.7],
  ],
];
const footprint = { type: 'Polygon', coordinates: square };
const person = { last_name: 'Whitfield', insured_date_of_birth: '1979-04-02' };
const rule_set_id = '01m7xsqbgp23mpwwsnz8n4vrf5';

type Token = 'key' | 'team' | 'operator';
type Bodies = readonly (readonly [body: object | null, isAccepted: boolean])[];

/** Requests that the document and the service must both accept, or both refuse. */
const cases: readonly (readonly [operationId: string, path: string, token: Token, bodies: Bodies])[] = [
  [
    'eraseInsured',
    '/api/v1/quote/erase',
    'team',
    [
      [{}, false],
      [{ insured_email: null }, false],
      [{ last_name: person.last_name }, false],
      [person, true],
      [{ ...person, insured_date_of_birth: '1979-02-29' }, false],
      [{ insured_email: 'dana@example.com' }, true],
    ],
  ],
  [
    'listCarrierExchanges',
    '/v1/admin/quote-exchanges/list',
    'operator',
    [
      [{}, false],
      [{ rate_id: 'a\0b' }, false],
      [{ carrier_key: 'sandbox' }, true],
    ],
  ],
  [
    'retryTroubledRates',
    '/v1/admin/quote-rates/retry',
    'operator',
    [
      [{}, false],
      [{ rate_ids: ['a\0b'] }, false],
      [{ rate_ids: ['unknown'] }, true],
    ],
  ],
  [
    'listTroubledRates',
    '/v1/admin/quote-rates/list',
    'operator',
    [
      [{}, true],
      [{ team_id: 'a\0b' }, false],
    ],
  ],
  [
    'underwriteHome',
    '/v1/underwrite/home',
    'key',
    [
      [{ state: '0' }, false],
      [{ state: 'Texas' }, true],
      [{ state: 'fL' }, true],
      [{ state: 'fl', address: '1 Ocean Dr', footprint }, false],
      [{ state: 'fl', address: '1 Ocean Dr', lat: 25.7, lng: -80.2 }, false],
      [{ state: 'fl', lat: 25.7, lng: -80.2, footprint: null }, true],
      [{ state: 'fl', lat: 25.7, lng: null }, false],
      [{ state: 'fl', distance_to_coast_feet: 100, distance_to_coast_miles: 1 }, false],
      [{ state: 'fl', distance_to_coast_feet: 100, distance_to_ocean_feet: 1000 }, true],
      [{ state: 'fl', stories: '0' }, false],
      [{ state: 'fl', zipcode: '00000' }, false],
      [{ state: 'fl', zipcode: '00501' }, true],
      [{ state: 'fl', stories: '2' }, true],
      [{ state: 'fl', roof_age: 9, roof_type: null }, false],
      [{ state: 'fl', stories: { value: null, as_of: '2020' } }, false],
      [{ state: 'fl', stories: { as_of: null } }, false],
      [{ state: 'fl', stories: { value: 'many' } }, false],
      [{ state: 'fl', stories: { value: 2, as_of: '2020-13' } }, false],
      [{ state: 'fl', stories: { value: 2, as_of: '2020-02' } }, true],
      [{ state: 'fl', as_of: '2026-02-29T12:00:00Z' }, false],
      [{ state: 'fl', as_of: '2026-02-28T12:00:00.5-05:00' }, true],
      [{ state: 'fl', effective_date: '1009-05-19' }, false],
    ],
  ],
  [
    'distanceToCoast',
    '/v1/distance-to-coast',
    'key',
    [
      [{}, false],
      [{ lat: 25.7, lng: -80.2 }, true],
      [{ lat: 25.7, lng: -80.2, footprint }, false],
      [{ lat: 95, lng: -80.2 }, false],
      [{ footprint }, true],
      [{ footprint, radius_meters: 5 }, false],
    ],
  ],
  [
    'listQuotes',
    '/api/v1/quote/list',
    'team',
    [
      [null, false],
      [{ status: null }, true],
      [{ status: 'done' }, false],
    ],
  ],
  [
    'watchHome',
    '/api/v1/watched-homes/create',
    'team',
    [
      [{ reference: 'a' }, false],
      [{ reference: 'a', decision_id: '' }, false],
      [{ reference: '', home: { state: 'fl' } }, false],
      [{ reference: 'a', home: { state: 'fl' } }, true],
    ],
  ],
  [
    'adminRuleSetsPropose',
    '/v1/admin/rule-sets/propose',
    'operator',
    [
      [{}, false],
      [{ rule_set: {}, rule_set_id }, false],
    ],
  ],
  ['adminRuleSetsReplay', '/v1/admin/rule-sets/replay', 'operator', [[{}, false]]],
  [
    'adminAuditList',
    '/v1/admin/audit/list',
    'operator',
    [
      [null, false],
      [{ since: '2026-01-01T00:00:00Z' }, false],
      [{ since: '2026-01-01T00:00:00Z', oldest_first: true }, true],
      [{ instance: true, organization_id: rule_set_id }, false],
      [{ instance: true }, true],
    ],
  ],
];

const folder = mkdtempSync(join(tmpdir(), 'leeward-agreement-'));
let service: RunningLeeward;
let url: string;
let check: ContractCheck;
const tokens = new Map<Token, string>([['operator', operator]]);

beforeAll(async () => {
  service = runLeewardHere(['serve', '--carriers', `${workspace}/fixtures/carriers`], {
    environment: {
      PORT: '0',
      LEEWARD_DATA_DIR: folder,
      LEEWARD_OPERATOR_TOKEN: operator,
      LEEWARD_LOG_LEVEL: 'silent',
      ...smallCoastline,
    },
  });
  await service.says('Leeward is up');
  url = /http:\/\/\S+/.exec(service.output())![0];
  check = createContractCheck((await (await fetch(`${url}/openapi.json`)).json()) as Contract);
  const { apiKey, teamToken } = await createAgency(url, operator, ['sawpalm_home']);
  tokens.set('key', apiKey).set('team', teamToken);
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

function send(path: string, token: Token, body: unknown, headers: Record<string, string> = {}) {
  const authorization = `Bearer ${tokens.get(token)}`;
  return fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

describe('the document and the service agree on requests of', () => {
  it.each(cases)('%s', async (operationId, path, token, bodies) => {
    for (const [body, isAccepted] of bodies) {
      const { status } = await send(path, token, body);
      expect({ body, documented: check.fitsRequest(operationId, body), served: status !== 422 }).toEqual({
        body,
        documented: isAccepted,
        served: isAccepted,
      });
      expect([200, 404, 422]).toContain(status);
    }
  });
});

it('has no pattern that only JavaScript can read', async () => {
  const text = await (await fetch(`${url}/openapi.json`)).text();
  // A regular expression of other languages cannot name half of a character.
  expect(text.match(/\\\\ud[89a-f]/gi)).toBeNull();
});

it('replaces an X-Request-Id in another form, as documented', async () => {
  const ids = async (sent: string) => {
    const { headers, status } = await send('/v1/underwrite/home', 'key', { state: 'fl' }, { 'x-request-id': sent });
    return [status, headers.get('x-request-id')] as const;
  };
  expect(await ids('trip-1')).toEqual([200, 'trip-1']);
  expect(await ids('{"no": 1}')).toEqual([200, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
});
