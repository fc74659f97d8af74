import type { CarrierAdapter } from '../../packages/core/quotes/src/index.ts';
import { checkHttpCarrier, createHttpCarrier } from '../../packages/extend/carriers/src/index.ts';

const secrets = () => 'a secret of the carrier';

/** A carrier with signed callbacks. No team appoints it, so it is never called. */
export default (): CarrierAdapter[] => {
  const { carrier, faults } = checkHttpCarrier(
    {
      format: 1,
      carrier: { key: 'lantern_mutual', name: 'Lantern Mutual' },
      offers: [{ form_types: ['ho3'] }],
      idempotent: true,
      request: { method: 'POST', url: 'https://carrier.example/quotes', body: { reference: '{{rate_id}}' } },
      response: { premium: '/premium' },
      job: {
        callback: {
          signature: {
            header: 'X-Signature',
            secret: '$' + '{CARRIER_HOOK}',
            prefix: 'sha256=',
            signed: '{{timestamp}}.{{body}}',
            timestamp_header: 'X-Time',
          },
          id: { path: '/event' },
          reference: { path: '/rate' },
          response: { premium: '/premium' },
        },
      },
    },
    { secrets },
  );
  if (carrier === undefined) throw new Error(JSON.stringify(faults));
  return [createHttpCarrier(carrier, { secrets })];
};
