import type { Kind, Records } from './records.ts';

export interface Layout {
  readonly id: string;
  /** Stored as JSON text. */
  readonly json: readonly string[];
  /** Owners; removing one removes the record. */
  readonly belongsTo: { readonly [field: string]: Kind };
  readonly unique: readonly (readonly string[])[];
}

export const layouts: { readonly [K in Kind]: Layout } = {
  organizations: { id: 'organization_id', json: [], belongsTo: {}, unique: [] },
  teams: { id: 'team_id', json: ['narrowed_to'], belongsTo: { organization_id: 'organizations' }, unique: [] },
  producers: {
    id: 'producer_id',
    json: ['licensed_states'],
    belongsTo: { organization_id: 'organizations', team_id: 'teams' },
    unique: [['team_id', 'email_key']],
  },
  appointments: {
    id: 'appointment_id',
    json: ['states', 'policy_types'],
    belongsTo: { organization_id: 'organizations' },
    unique: [],
  },
  carriers: {
    id: 'carrier_id',
    json: [],
    belongsTo: { organization_id: 'organizations' },
    unique: [['organization_id', 'carrier_key', 'effective_from']],
  },
  overrides: {
    id: 'override_id',
    json: [],
    belongsTo: { organization_id: 'organizations' },
    unique: [['organization_id', 'carrier_key']],
  },
  users: { id: 'user_id', json: ['roles'], belongsTo: { organization_id: 'organizations' }, unique: [] },
  tokens: {
    id: 'token_id',
    json: ['scopes', 'networks'],
    belongsTo: { organization_id: 'organizations', team_id: 'teams', user_id: 'users' },
    unique: [],
  },
  rule_sets: {
    id: 'rule_set_id',
    json: ['base', 'review'],
    belongsTo: { organization_id: 'organizations' },
    unique: [],
  },
  // Decisions refer to them.
  rule_set_files: { id: 'sha256', json: [], belongsTo: {}, unique: [] },
  moratoria: { id: 'moratorium_id', json: ['carrier_keys', 'moratorium'], belongsTo: {}, unique: [] },
  hazard_events: { id: 'hazard_event_id', json: ['event'], belongsTo: {}, unique: [['event_id']] },
  registries: {
    id: 'registry_id',
    json: ['carriers', 'moratoria'],
    belongsTo: { organization_id: 'organizations' },
    unique: [],
  },
  publications: {
    id: 'publication_id',
    json: ['before', 'after'],
    belongsTo: { organization_id: 'organizations' },
    unique: [['registry_id', 'number']],
  },
  saved_decisions: { id: 'decision_id', json: [], belongsTo: { organization_id: 'organizations' }, unique: [] },
  // Both outlive the organization.
  audit: { id: 'audit_id', json: ['changes'], belongsTo: {}, unique: [] },
  audit_chains: { id: 'chain_id', json: [], belongsTo: {}, unique: [] },
};

export function idOf<K extends Kind>(kind: K, record: Records[K]): string {
  return fieldOf(record, layouts[kind].id) as string;
}

export function fieldOf(record: object, field: string): unknown {
  return (record as Readonly<Record<string, unknown>>)[field];
}
