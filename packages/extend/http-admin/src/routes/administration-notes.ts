import { type OperationNote, type OperationNotes, only } from './operation-note.ts';

const at = '2026-11-20T12:00:00.000000Z';
const changed = { revision: 1, created_at: at, updated_at: at };
const organizationId = '01m7xsqbge0ms22ww905jq2trh';
const teamId = '01m7xsqbhdsyhqvfgdz8kc8kfa';
const withinOrganization = { organization_id: organizationId };
const lastHash = 'd8e9fa0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f5061728394a5b6c7';

const rule = {
  id: 'water-heater',
  outcome: 'decline',
  code: 'water_heater_age',
  when: { all: [{ fact: 'water_heater_age', operator: 'greaterThan', value: 12 }] },
  message: 'No water heater over 12 years; this one is {water_heater_age}.',
};
const effective = { from: '2026-01-01', until: null };
const ruleSet = {
  format: 1,
  carrier: { key: 'palmetto_reciprocal', name: 'Palmetto Reciprocal' },
  line: 'home',
  version: '2026.1',
  effective,
  programs: [{ id: 'coastal', policy_types: ['ho3', 'ho5'], states: ['fl', 'sc'], rules: [rule] }],
};

const tokenId = '01m7xsqbhm658mefw5mjh2g5fw';
const token = {
  token_id: tokenId,
  ...withinOrganization,
  team_id: null,
  user_id: null,
  name: 'rating system',
  prefix: `lw_live_${tokenId}`,
  environment: 'live',
  scopes: ['underwrite', 'distance'],
  networks: null,
  status: 'active',
  expires_at: null,
  reminder: null,
  revoked_at: null,
  last_used_at: null,
  rotated_from: null,
  ...changed,
};

/** Examples of one kind of resource. */
interface Kind {
  readonly noun: string;
  readonly id: string;
  readonly item: Readonly<Record<string, unknown>>;
  readonly create: object;
  readonly change: object;
  readonly creating?: string;
}

const kinds: Readonly<Record<string, Kind>> = {
  Organizations: {
    noun: 'organization',
    id: 'organization_id',
    item: { ...withinOrganization, name: 'Palmetto Coast Agency', ...changed },
    create: { name: 'Palmetto Coast Agency' },
    change: { name: 'Palmetto Coast Insurance' },
    creating: 'For the operator.',
  },
  Teams: {
    noun: 'team',
    id: 'team_id',
    item: { team_id: teamId, ...withinOrganization, name: 'Personal lines', narrowed_to: null, ...changed },
    create: { name: 'Personal lines' },
    change: { narrowed_to: [{ carrier_key: 'sawpalm_home', states: ['fl'], policy_types: null }] },
    creating: 'A team quotes with tokens of the team, under all or some of the organization’s appointments.',
  },
  Producers: {
    noun: 'producer',
    id: 'producer_id',
    item: {
      producer_id: '01m7xsqbhjdw38qytxvgdqr32m',
      ...withinOrganization,
      team_id: teamId,
      email: 'pat.rivera@palmetto-coast.example',
      name: 'Pat Rivera',
      licensed_states: ['fl', 'sc'],
      ...changed,
    },
    create: {
      team_id: teamId,
      email: 'pat.rivera@palmetto-coast.example',
      name: 'Pat Rivera',
      licensed_states: ['fl', 'sc'],
    },
    change: { licensed_states: ['fl', 'ga', 'sc'] },
    creating: 'A person in whose name a team quotes.',
  },
  Users: {
    noun: 'user',
    id: 'user_id',
    item: {
      user_id: '01m7xsqbhk1x5s0b0q2nfz4r7d',
      ...withinOrganization,
      email: 'kim.osei@palmetto-coast.example',
      name: 'Kim Osei',
      issuer: null,
      subject: null,
      roles: [{ role: 'author', team_id: null }],
      status: 'active',
      ...changed,
    },
    create: {
      email: 'kim.osei@palmetto-coast.example',
      name: 'Kim Osei',
      roles: [{ role: 'author' }],
    },
    change: { roles: [{ role: 'viewer', team_id: null }] },
    creating:
      'A person who signs in at the identity provider. An address invites: it is compared once, with the verified address of the first sign-in.',
  },
  Appointments: {
    noun: 'appointment',
    id: 'appointment_id',
    item: {
      appointment_id: '01m7xsqbgp23mpwwsnz8n4vrf5',
      ...withinOrganization,
      carrier_key: 'sawpalm_home',
      states: ['fl'],
      policy_types: null,
      from: '2026-01-01',
      until: null,
      ...changed,
    },
    create: { carrier_key: 'sawpalm_home', states: ['fl'], from: '2026-01-01' },
    change: { until: '2027-01-01' },
    creating: 'A carrier that the organization may sell, in all or some states and policy types.',
  },
  Carriers: {
    noun: 'carrier',
    id: 'carrier_id',
    item: {
      carrier_id: '01m7xsqbh98nkejyzcfd3rsqap',
      ...withinOrganization,
      carrier_key: 'palmetto_reciprocal',
      carrier: 'Palmetto Reciprocal',
      version: '2026.1',
      effective,
      sha256: '1546a9d7b15b5e217635d2442da7dffd6883946f7e46929c675a6ef38cde9902',
      rule_set: ruleSet,
      ...changed,
    },
    create: { rule_set: ruleSet },
    change: { rule_set: { ...ruleSet, version: '2026.2' } },
    creating: 'A carrier of the organization, by its rule set: up to 500 rules and 256 KiB.',
  },
  Overrides: {
    noun: 'override',
    id: 'override_id',
    item: {
      override_id: '01m7xsqbhb8c2k5haqfmn4bpev',
      ...withinOrganization,
      carrier_key: 'sawpalm_home',
      add_rules: [rule],
      exclude: { states: ['ga'] },
      sha256: '6a93b40ea9d717083ee03670490926d4910e002f290cff838495cbb702f53226',
      ...changed,
    },
    create: { carrier_key: 'sawpalm_home', add_rules: [rule], exclude: { states: ['ga'] } },
    change: { exclude: null },
    creating:
      'Rules added to a carrier of the catalog, and places excluded from it. An override can only tighten the rules.',
  },
};

function notesOf(name: string, { noun, id, item, create, change, creating }: Kind): OperationNotes {
  const its = { [id]: item[id] };
  return {
    [`admin${name}List`]: {
      description: 'In order of creation, 50 at a time. `next` is the `cursor` of the next page; null on the last.',
      request: only('The first ten', { limit: 10 }),
      answer: only('One page', { items: [item], next: null }),
    },
    [`admin${name}Create`]: {
      ...(creating === undefined ? {} : { description: creating }),
      request: only(`A new ${noun}`, create),
      answer: only('The stored resource', item),
    },
    [`admin${name}Update`]: {
      description:
        'Omitted fields stay unchanged. `revision` is the one that you read: if the resource was changed since, the answer is 409 and nothing is overwritten.',
      request: only('A change', { ...its, revision: 1, ...change }),
      answer: only('The stored resource', { ...item, ...change, revision: 2 }),
    },
    [`admin${name}Remove`]: {
      description: 'Returns the removed resource.',
      request: only('By its identifier', its),
      answer: only('The removed resource', item),
    },
  };
}

const secret = `lw_live_${tokenId}_${'k'.repeat(43)}`;
const tokenNotes: Readonly<Record<string, OperationNote>> = {
  adminTokensList: {
    description: 'Without secrets: `prefix` identifies a token.',
    request: only('Those of a team', { team_id: teamId }),
    answer: only('One page', { items: [token], next: null }),
  },
  adminTokensCreate: {
    description:
      'The answer contains the token, which is shown only once: only its hash is stored. The scopes cannot exceed those of the caller. A team’s token can quote. If the instance limits the lifetime of tokens, the answer has the maximum unless `expires_at` is earlier.',
    request: only('A key of the organization', {
      name: 'rating system',
      scopes: ['underwrite', 'distance'],
      networks: ['203.0.113.7', '2001:db8::/48'],
    }),
    answer: only('With its secret, once', { ...token, networks: ['2001:db8::/48', '203.0.113.7'], token: secret }),
  },
  adminTokensUpdate: {
    description: 'The name, the networks and the expiry of a token can change; its scopes and its secret cannot.',
    request: only('An end', { token_id: tokenId, revision: 1, expires_at: '2027-01-01T00:00:00Z' }),
    answer: only('The stored token', { ...token, expires_at: '2027-01-01T00:00:00.000000Z', revision: 2 }),
  },
  adminTokensRotate: {
    description: 'A new token with the same scopes. The old one stays valid for `overlap_seconds`, a day by default.',
    request: only('An hour to change over', { token_id: tokenId, overlap_seconds: 3600 }),
    answer: only('The new token, its secret once', {
      ...token,
      token_id: '01m7xt38ar8jzj3jjg0zjkgz7h',
      token: `lw_live_01m7xt38ar8jzj3jjg0zjkgz7h_${'k'.repeat(43)}`,
      prefix: 'lw_live_01m7xt38ar8jzj3jjg0zjkgz7h',
      rotated_from: tokenId,
    }),
  },
  adminTokensRemove: {
    description: 'Revokes the token: every process refuses it from the next request on.',
    request: only('By its identifier', { token_id: tokenId }),
    answer: only('As it ended', { ...token, status: 'revoked', revoked_at: at, revision: 2 }),
  },
};

export const administrationNotes: OperationNotes = {
  ...Object.assign({}, ...Object.entries(kinds).map(([name, kind]) => notesOf(name, kind))),
  ...tokenNotes,
  adminAuditList: {
    description:
      'Changes with their actor, network and time, newest first. They contain no secrets, hashes instead of rule sets, and no names or e-mail addresses of people. Each entry has the hash of the previous one of its organization: `leeward audit verify` and `audit/heads` find changed and missing entries.',
    request: only('The changes of one resource', { subject_id: teamId }),
    answer: only('One page', {
      items: [
        {
          audit_id: '01m7xsqbhp9pptswj1jxhtttwj',
          ...withinOrganization,
          at,
          sequence: 7,
          actor: { type: 'token', id: tokenId, user_id: null },
          network: '203.0.113.0/24',
          action: 'teams.update',
          subject_id: teamId,
          request_id: '018f2f6e-7a5b-4c1d-9e3f-2b6a1c0d4e5f',
          changes: { name: { before: 'Personal', after: 'Personal lines' } },
          before_hash: 'a3bf5e2a1b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6',
          after_hash: 'b4c5d6e7f8091a2b3c4d5e6f708192a3bf5e2a1b3c4d5e6f708192a3b4c5d6e7',
          previous_hash: 'c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5',
          hash: lastHash,
        },
      ],
      next: null,
    }),
  },
  adminAuditHeads: {
    description: 'Read the ends first, then the entries up to them: a chain that ends earlier lacks entries.',
    request: only('The chain of an organization', withinOrganization),
    answer: only('Its end', {
      items: [{ ...withinOrganization, sequence: 7, audit_id: '01m7xsqbhp9pptswj1jxhtttwj', hash: lastHash }],
      next: null,
    }),
  },
};
