import type { Operation } from '@leeward/accounts';
import {
  carrierKeyField,
  createOperation,
  identifierField,
  isIdentifier,
  organizationField,
  pageFields,
  pageOf,
  readPage,
} from '@leeward/accounts/operations';
import { formatInstant } from '@leeward/terms';
import { z } from 'zod';
import { fileOf, findRuleSet, ownerOf } from './find-rule-set.ts';
import { moratoriumItem, moratoriumItemOf } from './moratorium-item.ts';
import { carrierInForceItem, carrierInForceOf } from './registry-item.ts';
import { readRegistry } from './registry-record.ts';
import {
  type RuleSetItem,
  ruleSetItem,
  ruleSetItemOf,
  type WholeRuleSetItem,
  wholeRuleSetItem,
  wholeRuleSetItemOf,
} from './rule-set-item.ts';
import type { RegistryServices } from './services.ts';

const statusItem = z
  .strictObject({
    publication: z
      .int()
      .meta({ description: 'Increases with every change of the rules in force; 0: none were published.' }),
    published_at: z.string().nullable(),
    carriers: z.array(carrierInForceItem),
    proposed: z.array(ruleSetItem).meta({ description: 'Versions that wait for approval, newest first; 50 at most.' }),
    moratoria: z.array(moratoriumItem).meta({ description: 'Approved ones; the catalog’s alone has any.' }),
  })
  .meta({ id: 'RegistryStatus' });

const MAX_PROPOSED = 50;

export interface RuleSetReading {
  readonly status: Operation<z.output<typeof statusItem>>;
  readonly list: Operation<{ items: RuleSetItem[]; next: string | null }>;
  readonly get: Operation<WholeRuleSetItem>;
}

export function createRuleSetReading(services: RegistryServices): RuleSetReading {
  return {
    status: createOperation(services, {
      name: 'rule_sets.status',
      summary: 'List rule sets in force and versions that wait for approval.',
      request: z.strictObject({ organization_id: organizationField, carrier_key: carrierKeyField.nullish() }),
      response: statusItem,
      async perform(call, request) {
        const owner = await ownerOf(call, request.organization_id);
        return services.store.read(async (reader) => {
          const registry = await readRegistry(reader, owner);
          const carrierKey = request.carrier_key ?? undefined;
          const keys = carrierKey === undefined ? Object.keys(registry.carriers).sort() : [carrierKey];
          const proposals = await reader.list('rule_sets', {
            where: {
              organization_id: owner,
              status: 'proposed',
              ...(carrierKey !== undefined && { carrier_key: carrierKey }),
            },
            newestFirst: true,
            limit: MAX_PROPOSED,
          });
          const moratoria = await Promise.all(registry.moratoria.map((id) => reader.get('moratoria', id)));
          return {
            publication: registry.number,
            published_at: registry.number === 0 ? null : formatInstant(registry.updated_at),
            carriers: await Promise.all(keys.map((key) => carrierInForceOf(reader, registry, key, call.atMs))),
            proposed: proposals.map((record) => ruleSetItemOf(record, call.atMs)),
            moratoria: moratoria.flatMap((record) => (record === undefined ? [] : [moratoriumItemOf(record)])),
          };
        });
      },
    }),
    list: createOperation(services, {
      name: 'rule_sets.list',
      summary: 'List versions of rule sets, newest first.',
      request: z.strictObject({
        organization_id: organizationField,
        carrier_key: carrierKeyField.nullish(),
        ...pageFields,
      }),
      response: pageOf(ruleSetItem),
      async perform(call, request) {
        const where = {
          organization_id: await ownerOf(call, request.organization_id),
          ...(typeof request.carrier_key === 'string' && {
            carrier_key: isIdentifier(request.carrier_key) ? request.carrier_key : '',
          }),
        };
        const page = await readPage(call, 'rule_sets', where, request, true);
        return { items: page.records.map((record) => ruleSetItemOf(record, call.atMs)), next: page.next };
      },
    }),
    get: createOperation(services, {
      name: 'rule_sets.get',
      summary: 'Read a version of a rule set with its file, cases and review.',
      request: z.strictObject({ rule_set_id: identifierField }),
      response: wholeRuleSetItem,
      async perform(call, request) {
        const { reader } = services.store;
        const record = await findRuleSet(call, reader, request.rule_set_id);
        return wholeRuleSetItemOf(record, await fileOf(reader, record), call.atMs);
      },
    }),
  };
}
