import { checkHttpCarrier, createHttpCarrier } from '@leeward/carriers';
import type { CarrierAdapter } from '@leeward/quotes';
import { DEADLINE_MS, httpCarrierKey } from '../../../packages/core/quotes/src/test-programs/chaos-settings.ts';

/** The carrier of a chaos run described in JSON: it needs a token, and its jobs are polled. */
export default (url: string): CarrierAdapter => {
  const { carrier, faults } = checkHttpCarrier({
    format: 1,
    carrier: { key: httpCarrierKey, name: 'Over HTTP' },
    offers: [{ form_types: ['ho3', 'ho5'] }],
    idempotent: false,
    auth: {
      type: 'oauth2_client_credentials',
      token_url: `${url}/token`,
      client_id: 'leeward',
      client_secret: 'chaos',
    },
    request: { method: 'POST', url: `${url}/quotes`, body: { rate: '{{rate_id}}', form: '{{form_type}}' } },
    response: { premium: '/premium', carrier_quote_number: '/number' },
    job: { poll: { every_ms: 300, state: { path: '/state', values: { working: 'pending', done: 'done' } } } },
    limits: { concurrency: 8, deadline_ms: DEADLINE_MS, max_attempts: 8, backoff_ms: [50, 500] },
  });
  if (carrier === undefined) throw new Error(JSON.stringify(faults));
  return createHttpCarrier(carrier);
};

/** Path of this module, for the workers of a chaos run. */
export const overHttpModule = import.meta.filename;
