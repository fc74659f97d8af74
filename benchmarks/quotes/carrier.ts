import { setTimeout as sleep } from 'node:timers/promises';
import type { CarrierAdapter } from '@leeward/quotes';

/** Not idempotent, so that the whole protocol runs: claim, `sent_at`, finish. */
export function benchCarrier(options: { key: string; latencyMs: number; concurrency: number }): CarrierAdapter {
  return {
    key: options.key,
    name: `Bench ${options.key}`,
    offers: [{ formTypes: ['ho3', 'ho5', 'ho8'] }],
    idempotent: false,
    limits: { concurrency: options.concurrency },
    async quote() {
      if (options.latencyMs > 0) await sleep(options.latencyMs);
      return { outcome: 'quoted', premiumCents: 184_350n };
    },
  };
}

export const body = {
  product_code: 'homeowners',
  assigned_producer_email: 'agent@example.com',
  fields: {
    first_name: 'Dana',
    last_name: 'Whitfield',
    insured_email: 'dana@example.com',
    insured_date_of_birth: '1979-04-02',
    insured_phone: '+13525550142',
    phone_type: 'mobile',
    effective_date: '2026-12-01',
    dwelling_a: 350_000,
    square_feet: 1850,
    year_built: 2004,
    roof_year: 2019,
    house_number: '1420',
    street: 'Larkspur Ave',
    city: 'Ocala',
    county: 'Marion',
    state: 'FL',
    zipcode: '34471',
    ownership: 'personal',
    occupancy: 'owner occupied',
    usage: 'primary',
    roof_option: 'architectural shingle',
    roof_shape: 'hip',
    protection_class: '3',
    construction_type_options: 'masonry',
    dwelling_type: 'single family',
  },
};

export const teams = (carriers: readonly CarrierAdapter[]) => ({
  hasProducer: async () => true,
  appointments: async () => carriers.map(({ key }) => ({ carrierKey: key })),
});
