import { neverEmpty, type SoldLines } from '@leeward/terms';
import { z } from 'zod';
import { invalid } from '../../administration-error.ts';
import type { AppointmentRecord } from '../../store/records.ts';
import {
  carrierKeyField,
  dateField,
  formatValue,
  identifierField,
  organizationField,
  policyTypesField,
  policyTypesItem,
  revisionField,
  statesField,
} from '../fields.ts';
import { givenOf, itemFields, keptOf, meaningOf } from '../item-fields.ts';
import type { Services } from '../operation.ts';
import { createResource } from '../resource.ts';

export function appointmentSchemas(lines: SoldLines) {
  const item = z
    .strictObject({
      appointment_id: z.string(),
      organization_id: z.string(),
      carrier_key: z.string(),
      states: z.array(z.string()).readonly().nullable().meta({ description: 'null: all.' }),
      policy_types: policyTypesItem(lines).meta({ description: 'null: all.' }),
      from: z.string().nullable().meta({ description: 'The first day.' }),
      until: z.string().nullable().meta({ description: 'The first day after.' }),
      ...itemFields,
    })
    .meta({ id: 'Appointment', description: 'A carrier that the organization may sell, perhaps only in part.' });

  const policyTypes = policyTypesField(lines);
  const limits = {
    states: statesField,
    policy_types: policyTypes,
    from: dateField('from'),
    until: dateField('until'),
  };

  const create = z.strictObject({
    organization_id: organizationField,
    carrier_key: carrierKeyField,
    ...limits,
    states: neverEmpty(statesField, 'the appointment would be for all states'),
    policy_types: neverEmpty(policyTypes, 'the appointment would be for all policy types'),
  });

  const update = z.strictObject({
    appointment_id: identifierField,
    revision: revisionField,
    ...limits,
  });

  return { item, create, update };
}

export type AppointmentSchemas = ReturnType<typeof appointmentSchemas>;

export function createAppointments(services: Services) {
  const { item, create, update } = appointmentSchemas(services.lines);
  return createResource(services, {
    kind: 'appointments',
    max: services.limits.appointments,
    noun: 'appointment',
    create,
    update,
    item,
    filters: ['carrier_key'],
    shapesCatalog: true,
    async prepareCreate({ services: { catalog } }, request) {
      if (catalog?.has(request.carrier_key) === false) {
        throw invalid(
          '/carrier_key',
          'unknown_carrier',
          `There is no carrier ${formatValue(request.carrier_key)} here.`,
        );
      }
      return async ({ id, ...base }) => {
        const record: AppointmentRecord = {
          appointment_id: id,
          ...base,
          carrier_key: request.carrier_key,
          states: request.states ?? null,
          policy_types: request.policy_types ?? null,
          from: request.from ?? null,
          until: request.until ?? null,
        };
        refuseEmptyWindow(record);
        return record;
      };
    },
    async prepareUpdate(_, request) {
      return async (record) => {
        const changes = givenOf(request, ['states', 'policy_types', 'from', 'until']);
        refuseEmptyWindow({ ...record, ...changes });
        return changes;
      };
    },
    toItem: itemOf,
    audited: (record) => meaningOf(itemOf(record)),
  });
}

function itemOf(record: AppointmentRecord): z.infer<AppointmentSchemas['item']> {
  return {
    appointment_id: record.appointment_id,
    organization_id: record.organization_id,
    carrier_key: record.carrier_key,
    states: record.states,
    policy_types: record.policy_types,
    from: record.from,
    until: record.until,
    ...keptOf(record),
  };
}

function refuseEmptyWindow({ from, until }: Pick<AppointmentRecord, 'from' | 'until'>): void {
  if (from === null || until === null || from < until) return;
  throw invalid('/until', 'empty_window', `${until} must come after the first day, ${from}.`);
}
