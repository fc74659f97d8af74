import { AdministrationError, type Operation } from '@leeward/accounts';
import {
  carrierKeyField,
  conflict,
  createOperation,
  forbidden,
  identifierField,
  isIdentifier,
  type MoratoriumRecord,
  nameField,
  notFound,
  pageFields,
  pageOf,
  type RegistryRecord,
  readPage,
  refuseStale,
  revisionField,
  type StoreReader,
  type StoreWriter,
} from '@leeward/accounts/operations';
import type { Fault } from '@leeward/terms';
import { z } from 'zod';
import { auditStep } from './audit-rule-set.ts';
import { isOperator } from './find-rule-set.ts';
import { compareSigners, faultOf, proofOf } from './four-eyes.ts';
import { type MoratoriumItem, moratoriumItem, moratoriumItemOf } from './moratorium-item.ts';
import { lockRegistry, publish, writeRegistry } from './registry-record.ts';
import { readSent } from './review-version.ts';
import type { RegistryCall, RegistryServices } from './services.ts';

const proposeRequest = z.strictObject({
  carrier_keys: z
    .array(carrierKeyField)
    .min(1)
    .max(1000)
    .transform((keys) => [...new Set(keys)].sort())
    .nullish()
    .meta({ description: 'Carriers it stops; left out: all of the catalog.' }),
  moratorium: z.looseObject({ id: z.string().min(1).max(100), from: z.string().optional(), message: z.string() }).meta({
    description: 'As a rule set has it: id, from, until, states, counties, policy_types, when, unless, message.',
  }),
});

const stepRequest = z.strictObject({
  moratorium_id: identifierField,
  revision: revisionField.nullish(),
  why: nameField.nullish(),
});

export interface Moratoria {
  readonly list: Operation<{ items: MoratoriumItem[]; next: string | null }>;
  readonly propose: Operation<MoratoriumItem>;
  readonly approve: Operation<MoratoriumItem>;
  readonly withdraw: Operation<MoratoriumItem>;
}

export function createMoratoria(services: RegistryServices): Moratoria {
  return {
    list: createOperation(services, {
      name: 'moratoria.list',
      summary: 'List moratoria, newest first.',
      request: z.strictObject(pageFields),
      response: pageOf(moratoriumItem),
      async perform(call, request) {
        requireOperator(call);
        const page = await readPage(call, 'moratoria', {}, request, true);
        return { items: page.records.map(moratoriumItemOf), next: page.next };
      },
    }),
    propose: createOperation(services, {
      name: 'moratoria.propose',
      summary: 'Propose a moratorium for carriers of the catalog.',
      request: proposeRequest,
      response: moratoriumItem,
      async perform(call, request) {
        requireOperator(call);
        const sent = readSent(request.moratorium, '/moratorium').value as MoratoriumRecord['moratorium'];
        const faults = services.rules.checkMoratorium(sent);
        if (faults.length > 0) {
          throw new AdministrationError(
            'invalid_request',
            faults.map((fault) => ({ ...fault, path: `/moratorium${fault.path}` })),
          );
        }
        const record: MoratoriumRecord = {
          moratorium_id: services.newId(),
          carrier_keys: request.carrier_keys ?? null,
          moratorium: sent,
          status: 'proposed',
          proposed_by: call.authority.actorId,
          proposed_at: call.atMs,
          approved_by: null,
          approved_at: null,
          four_eyes: null,
          revision: 1,
          created_at: call.atMs,
          updated_at: call.atMs,
        };
        await call.services.store.write(async (writer) => {
          await writer.insert('moratoria', record);
          const fields = { carrier_keys: record.carrier_keys, moratorium: sent };
          await auditStep(call, writer, 'moratoria.propose', { ...subjectOf(record), after: record }, fields);
        });
        return moratoriumItemOf(record);
      },
    }),
    approve: createOperation(services, {
      name: 'moratoria.approve',
      summary: 'Approve a moratorium. It applies immediately.',
      request: stepRequest,
      response: moratoriumItem,
      async perform(call, request) {
        requireOperator(call);
        let fault: Fault | undefined;
        const outcome = await step(call, request, async (writer, registry, record) => {
          if (record.status !== 'proposed') {
            throw conflict(
              '/moratorium_id',
              'not_proposed',
              `is ${record.status}: only what is proposed can be approved.`,
            );
          }
          const signers = services.approval.fourEyes
            ? await compareSigners(writer, record.proposed_by ?? '', call.authority)
            : undefined;
          fault = signers && faultOf(signers, '/moratorium_id');
          if (fault) {
            await auditStep(call, writer, 'moratoria.refuse', subjectOf(record), { why: fault.code });
            return undefined;
          }
          const approved = {
            status: 'approved',
            approved_by: call.authority.actorId,
            approved_at: call.atMs,
            four_eyes: proofOf(signers),
          } as const;
          return change(call, writer, registry, record, approved, [...registry.moratoria, record.moratorium_id]);
        });
        if (outcome !== undefined) return moratoriumItemOf(outcome);
        throw new AdministrationError('forbidden', fault && [fault]);
      },
    }),
    withdraw: createOperation(services, {
      name: 'moratoria.withdraw',
      summary: 'Withdraw a moratorium. It ends immediately.',
      request: stepRequest,
      response: moratoriumItem,
      async perform(call, request) {
        requireOperator(call);
        const record = await step(call, request, async (writer, registry, before) => {
          if (before.status === 'withdrawn') return before;
          const left = registry.moratoria.filter((id) => id !== before.moratorium_id);
          const why = request.why ?? undefined;
          return change(call, writer, registry, before, { status: 'withdrawn' }, left, why);
        });
        return moratoriumItemOf(record);
      },
    }),
  };
}

function requireOperator({ authority }: RegistryCall): void {
  if (!isOperator(authority)) throw forbidden('operator');
}

async function findMoratorium(reader: StoreReader, id: string): Promise<MoratoriumRecord> {
  const record = isIdentifier(id) ? await reader.get('moratoria', id) : undefined;
  if (record === undefined) throw notFound();
  return record;
}

function step<T>(
  call: RegistryCall,
  { moratorium_id: id, revision }: z.output<typeof stepRequest>,
  work: (writer: StoreWriter, registry: RegistryRecord, record: MoratoriumRecord) => Promise<T>,
): Promise<T> {
  return writeRegistry(call, async (writer) => {
    const registry = await lockRegistry(writer, null);
    const record = await findMoratorium(writer, id);
    refuseStale('moratorium', record.revision, revision);
    return work(writer, registry, record);
  });
}

async function change(
  call: RegistryCall,
  writer: StoreWriter,
  registry: RegistryRecord,
  before: MoratoriumRecord,
  changed: Partial<MoratoriumRecord> & Pick<MoratoriumRecord, 'status'>,
  after: readonly string[],
  why?: string,
): Promise<MoratoriumRecord> {
  const record = { ...before, ...changed, revision: before.revision + 1, updated_at: call.atMs };
  await writer.replace('moratoria', record);
  const isApproval = record.status === 'approved';
  const isPublished = after.length !== registry.moratoria.length;
  const published = isPublished
    ? await publish(call, writer, registry, { action: isApproval ? 'approve' : 'withdraw', carrierKey: null, after })
    : undefined;
  await auditStep(
    call,
    writer,
    isApproval ? 'moratoria.approve' : 'moratoria.withdraw',
    { ...subjectOf(before), before, after: record },
    {
      status: record.status,
      ...(published && { publication: published.number }),
      ...(why === undefined ? {} : { why }),
    },
    { status: before.status },
  );
  return record;
}

function subjectOf(record: MoratoriumRecord): { id: string; organizationId: null } {
  return { id: record.moratorium_id, organizationId: null };
}
