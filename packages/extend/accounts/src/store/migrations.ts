import type { Migration, MigrationList, MigrationTables } from '@leeward/database';
import { type Kysely, sql } from 'kysely';
import { appendToChain, emptyChain } from '../audit/audit-chain.ts';
import type { AuditChainRecord, AuditRecord } from '../audit/audit-entry.ts';
import { withoutPersonalValues } from '../audit/personal-fields.ts';

const tables: Migration = {
  name: 'tables',
  async up(db) {
    await db.schema
      .createTable('accounts_organizations')
      .addColumn('organization_id', 'text', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('catalog_stamp', 'text', (column) => column.notNull())
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .execute();

    const owned = (table: string, id: string) =>
      db.schema
        .createTable(table)
        .addColumn(id, 'text', (column) => column.primaryKey())
        .addColumn('organization_id', 'text', (column) =>
          column.notNull().references('accounts_organizations.organization_id').onDelete('cascade'),
        )
        .addColumn('revision', 'integer', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('updated_at', 'bigint', (column) => column.notNull());

    await owned('accounts_teams', 'team_id')
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('narrowed_to', 'text')
      .execute();
    await owned('accounts_producers', 'producer_id')
      .addColumn('team_id', 'text', (column) =>
        column.notNull().references('accounts_teams.team_id').onDelete('cascade'),
      )
      .addColumn('email', 'text', (column) => column.notNull())
      .addColumn('email_key', 'text', (column) => column.notNull())
      .addColumn('name', 'text')
      .addColumn('licensed_states', 'text')
      .addUniqueConstraint('accounts_producers_email', ['team_id', 'email_key'])
      .execute();
    await owned('accounts_appointments', 'appointment_id')
      .addColumn('carrier_key', 'text', (column) => column.notNull())
      .addColumn('states', 'text')
      .addColumn('policy_types', 'text')
      .addColumn('from', 'text')
      .addColumn('until', 'text')
      .execute();
    await owned('accounts_carriers', 'carrier_id')
      .addColumn('carrier_key', 'text', (column) => column.notNull())
      .addColumn('carrier', 'text', (column) => column.notNull())
      .addColumn('version', 'text', (column) => column.notNull())
      .addColumn('effective_from', 'text', (column) => column.notNull())
      .addColumn('effective_until', 'text')
      .addColumn('sha256', 'text', (column) => column.notNull())
      .addColumn('rule_set', 'text', (column) => column.notNull())
      .addUniqueConstraint('accounts_carriers_version', ['organization_id', 'carrier_key', 'effective_from'])
      .execute();
    await owned('accounts_overrides', 'override_id')
      .addColumn('carrier_key', 'text', (column) => column.notNull())
      .addColumn('sha256', 'text', (column) => column.notNull())
      .addColumn('override', 'text', (column) => column.notNull())
      .addUniqueConstraint('accounts_overrides_carrier', ['organization_id', 'carrier_key'])
      .execute();
    await db.schema
      .createTable('accounts_tokens')
      .addColumn('token_id', 'text', (column) => column.primaryKey())
      .addColumn('organization_id', 'text', (column) =>
        column.references('accounts_organizations.organization_id').onDelete('cascade'),
      )
      .addColumn('team_id', 'text', (column) => column.references('accounts_teams.team_id').onDelete('cascade'))
      .addColumn('name', 'text')
      .addColumn('environment', 'text', (column) => column.notNull())
      .addColumn('scopes', 'text', (column) => column.notNull())
      .addColumn('secret_hash', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'bigint')
      .addColumn('revoked_at', 'bigint')
      .addColumn('last_used_at', 'bigint')
      .addColumn('rotated_from', 'text')
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('accounts_audit')
      .addColumn('audit_id', 'text', (column) => column.primaryKey())
      .addColumn('organization_id', 'text')
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('actor_type', 'text', (column) => column.notNull())
      .addColumn('actor_id', 'text', (column) => column.notNull())
      .addColumn('action', 'text', (column) => column.notNull())
      .addColumn('subject_id', 'text', (column) => column.notNull())
      .addColumn('request_id', 'text')
      .addColumn('changes', 'text', (column) => column.notNull())
      .execute();

    const lists = {
      teams: 'team_id',
      producers: 'producer_id',
      appointments: 'appointment_id',
      tokens: 'token_id',
      audit: 'audit_id',
    };
    for (const [kind, id] of Object.entries(lists)) {
      await db.schema
        .createIndex(`accounts_${kind}_list`)
        .on(`accounts_${kind}`)
        .columns(['organization_id', id])
        .execute();
    }
    await db.schema.createIndex('accounts_tokens_team').on('accounts_tokens').column('team_id').execute();
  },
};

const registry: Migration = {
  name: 'registry',
  async up(db) {
    await db.schema
      .createTable('accounts_rule_set_files')
      .addColumn('sha256', 'text', (column) => column.primaryKey())
      .addColumn('rule_set', 'text', (column) => column.notNull())
      .execute();
    const owned = (table: string, id: string) =>
      db.schema
        .createTable(table)
        .addColumn(id, 'text', (column) => column.primaryKey())
        .addColumn('organization_id', 'text', (column) =>
          column.references('accounts_organizations.organization_id').onDelete('cascade'),
        );
    await owned('accounts_rule_sets', 'rule_set_id')
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addColumn('carrier_key', 'text', (column) => column.notNull())
      .addColumn('carrier', 'text', (column) => column.notNull())
      .addColumn('version', 'text', (column) => column.notNull())
      .addColumn('effective_from', 'text', (column) => column.notNull())
      .addColumn('effective_until', 'text')
      .addColumn('sha256', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('cases', 'text')
      .addColumn('base', 'text')
      .addColumn('review', 'text')
      .addColumn('note', 'text')
      .addColumn('proposed_by', 'text')
      .addColumn('proposed_at', 'bigint')
      .addColumn('approved_by', 'text')
      .addColumn('approved_at', 'bigint')
      .execute();
    await db.schema
      .createTable('accounts_moratoria')
      .addColumn('moratorium_id', 'text', (column) => column.primaryKey())
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addColumn('carrier_keys', 'text')
      .addColumn('moratorium', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('proposed_by', 'text')
      .addColumn('proposed_at', 'bigint')
      .addColumn('approved_by', 'text')
      .addColumn('approved_at', 'bigint')
      .execute();
    await owned('accounts_registries', 'registry_id')
      .addColumn('number', 'integer', (column) => column.notNull())
      .addColumn('carriers', 'text', (column) => column.notNull())
      .addColumn('moratoria', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .execute();
    await owned('accounts_publications', 'publication_id')
      .addColumn('registry_id', 'text', (column) => column.notNull())
      .addColumn('number', 'integer', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('action', 'text', (column) => column.notNull())
      .addColumn('carrier_key', 'text')
      .addColumn('before', 'text')
      .addColumn('after', 'text')
      .addColumn('undoes', 'integer')
      .addUniqueConstraint('accounts_publications_number', ['registry_id', 'number'])
      .execute();
    await db.schema
      .createIndex('accounts_rule_sets_carrier')
      .on('accounts_rule_sets')
      .columns(['carrier_key', 'rule_set_id'])
      .execute();
    // Approvals look up the creators of tokens.
    await db.schema.createIndex('accounts_audit_subject').on('accounts_audit').column('subject_id').execute();
  },
};

const savedDecisions: Migration = {
  name: 'saved-decisions',
  async up(db) {
    await db.schema
      .createTable('accounts_saved_decisions')
      .addColumn('decision_id', 'text', (column) => column.primaryKey())
      .addColumn('organization_id', 'text', (column) =>
        column.references('accounts_organizations.organization_id').onDelete('cascade'),
      )
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('record', 'text', (column) => column.notNull())
      .addColumn('answers', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('accounts_saved_decisions_list')
      .on('accounts_saved_decisions')
      .columns(['organization_id', 'decision_id'])
      .execute();
    await db.schema.createIndex('accounts_saved_decisions_at').on('accounts_saved_decisions').column('at').execute();
  },
};

const idempotency: Migration = {
  name: 'idempotency',
  async up(db) {
    for (const column of ['idempotency_key', 'body_hash']) {
      await db.schema.alterTable('accounts_rule_sets').addColumn(column, 'text').execute();
    }
    await db.schema
      .createIndex('accounts_rule_sets_idempotency')
      .on('accounts_rule_sets')
      .columns(['idempotency_key', 'organization_id'])
      .execute();
  },
};

const hazardEvents: Migration = {
  name: 'hazard-events',
  async up(db) {
    await db.schema
      .createTable('accounts_hazard_events')
      .addColumn('hazard_event_id', 'text', (column) => column.primaryKey())
      .addColumn('event_id', 'text', (column) => column.notNull())
      .addColumn('event', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addUniqueConstraint('accounts_hazard_events_id', ['event_id'])
      .execute();
    await db.schema
      .createIndex('accounts_hazard_events_status')
      .on('accounts_hazard_events')
      .columns(['status', 'hazard_event_id'])
      .execute();
  },
};

const users: Migration = {
  name: 'users',
  async up(db) {
    await db.schema
      .createTable('accounts_users')
      .addColumn('user_id', 'text', (column) => column.primaryKey())
      .addColumn('organization_id', 'text', (column) =>
        column.references('accounts_organizations.organization_id').onDelete('cascade'),
      )
      .addColumn('email', 'text')
      .addColumn('email_key', 'text')
      .addColumn('name', 'text')
      .addColumn('issuer', 'text')
      .addColumn('subject', 'text')
      .addColumn('roles', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .execute();
    const indexes = { list: ['organization_id', 'user_id'], subject: ['subject'], email: ['email_key'] };
    for (const [name, columns] of Object.entries(indexes)) {
      await db.schema.createIndex(`accounts_users_${name}`).on('accounts_users').columns(columns).execute();
    }
    await db.schema
      .alterTable('accounts_tokens')
      .addColumn('user_id', 'text', (column) => column.references('accounts_users.user_id').onDelete('cascade'))
      .execute();
    await db.schema.alterTable('accounts_tokens').addColumn('session_ends_at', 'bigint').execute();
    await db.schema.createIndex('accounts_tokens_user').on('accounts_tokens').column('user_id').execute();
  },
};

const auditChain: Migration = {
  name: 'audit-chain',
  async up(db) {
    const texts = ['user_id', 'network', 'before_hash', 'after_hash', 'previous_hash', 'hash'];
    for (const column of texts) await db.schema.alterTable('accounts_audit').addColumn(column, 'text').execute();
    await db.schema.alterTable('accounts_audit').addColumn('sequence', 'integer').execute();
    await db.schema
      .createTable('accounts_audit_chains')
      .addColumn('chain_id', 'text', (column) => column.primaryKey())
      .addColumn('organization_id', 'text')
      .addColumn('sequence', 'integer', (column) => column.notNull())
      .addColumn('audit_id', 'text', (column) => column.notNull())
      .addColumn('hash', 'text')
      .execute();
    await chainEarlierEntries(db);
    await db.schema
      .createIndex('accounts_audit_sequence')
      .unique()
      .on('accounts_audit')
      .expression(sql`coalesce(organization_id, ''), sequence`)
      .execute();
  },
};

/** Gives earlier entries their places, without the values of personal fields. */
async function chainEarlierEntries(db: Kysely<MigrationTables>): Promise<void> {
  const heads = new Map<string | null, AuditChainRecord>();
  for (let after = ''; ; ) {
    const rows = await db
      .selectFrom('accounts_audit')
      .selectAll()
      .where('audit_id', '>', after)
      .orderBy('audit_id')
      .limit(1_000)
      .execute();
    if (rows.length === 0) break;
    for (const row of rows as unknown as (AuditRecord & { readonly changes: string })[]) {
      const { organization_id: owner, action } = row;
      const changes = withoutPersonalValues(action, JSON.parse(row.changes));
      const { record, head } = appendToChain(heads.get(owner) ?? emptyChain(owner), { ...row, changes });
      const { audit_id: id, sequence, previous_hash, hash } = record;
      const values = { sequence, previous_hash, hash, changes: JSON.stringify(record.changes) };
      await db.updateTable('accounts_audit').set(values).where('audit_id', '=', id).execute();
      heads.set(owner, head);
      after = id;
    }
  }
  for (const head of heads.values())
    await db
      .insertInto('accounts_audit_chains')
      .values({ ...head })
      .execute();
}

const fourEyes: Migration = {
  name: 'four-eyes',
  async up(db) {
    for (const table of ['accounts_rule_sets', 'accounts_moratoria']) {
      await db.schema.alterTable(table).addColumn('four_eyes', 'text').execute();
    }
  },
};

const auditStreams: Migration = {
  name: 'audit-streams',
  async up(db) {
    await db.schema
      .createTable('accounts_audit_streams')
      .addColumn('destination_id', 'text', (column) => column.primaryKey())
      .addColumn('owner', 'text')
      .addColumn('lease_until', 'bigint')
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('retry_at', 'bigint')
      .addColumn('failing_since', 'bigint')
      .addColumn('last_error', 'text')
      .execute();
    await db.schema
      .createTable('accounts_audit_cursors')
      .addColumn('destination_id', 'text', (column) => column.notNull())
      .addColumn('chain_id', 'text', (column) => column.notNull())
      .addColumn('sequence', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('accounts_audit_cursors_key', ['destination_id', 'chain_id'])
      .execute();
  },
};

const tokenNetworks: Migration = {
  name: 'token-networks',
  async up(db) {
    await db.schema.alterTable('accounts_tokens').addColumn('networks', 'text').execute();
  },
};

/** Tables of accounts and of the registry, for `openDatabase`. */
export const accountsMigrations: MigrationList = {
  name: 'accounts',
  migrations: [
    tables,
    registry,
    savedDecisions,
    idempotency,
    hazardEvents,
    users,
    auditChain,
    fourEyes,
    auditStreams,
    tokenNetworks,
  ],
};
