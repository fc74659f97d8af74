// A carrier that accepts a submission and answers in minutes or days, by polling or by callback.
//
//   leeward serve --adapters examples/quoting/harbor-lamp.ts --carriers DIR
//   leeward worker --adapters examples/quoting/harbor-lamp.ts --carriers DIR
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type CallContext, type CarrierAdapter, type CarrierAnswer, CarrierFault } from '@leeward/quotes';

const MAX_AGE_MS = 5 * 60_000;

interface Submission {
  readonly id: string;
  readonly state: 'working' | 'priced' | 'declined';
  /** Dollars and cents as text. */
  readonly premium?: string;
}

/** @param options where the carrier is, and what it signs its callbacks with. */
export function createHarborLamp(options: { readonly url: string; readonly secret: string }): CarrierAdapter {
  const { url, secret } = options;

  const ask = async (path: string, context: CallContext, body?: unknown): Promise<Submission> => {
    // Every HTTP request counts against the rate limit, not every quote.
    await context.beforeRequest?.();
    const response = await fetch(`${url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': context.idempotencyKey },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: context.signal,
    });
    if (response.ok) return (await response.json()) as Submission;
    const kind = response.status === 429 ? 'refused' : response.status >= 500 ? 'failed' : 'invalid';
    throw new CarrierFault(`Harbor Lamp answered ${response.status}.`, { kind, code: `http_${response.status}` });
  };

  const answerOf = ({ id, state, premium = '' }: Submission): CarrierAnswer => {
    if (state === 'declined') return { outcome: 'declined', carrierQuoteNumber: id };
    // Kept encrypted meanwhile, and looked at in ten minutes, should no callback come before.
    if (state === 'working')
      return { outcome: 'pending', pending: { keep: { id }, reference: id, pollAfterMs: 600_000 } };
    const [dollars = '', cents = '00'] = premium.split('.');
    return {
      outcome: 'quoted',
      premiumCents: BigInt(`${dollars}${cents}`),
      carrierQuoteNumber: id,
      rateType: 'quoted',
    };
  };

  return {
    key: 'harbor_lamp',
    name: 'Harbor Lamp Mutual',
    offers: [{ formTypes: ['ho3'], states: ['fl', 'ma', 'ny'] }],
    idempotent: true,
    limits: { concurrency: 4, deadlineMs: 20_000, rateLimit: { calls: 10, perMs: 1000 } },
    quote: async (request, context) =>
      answerOf(await ask('/submissions', context, { form: request.formType, dwelling: request.fields['dwelling_a'] })),
    resume: async (_, context) => answerOf(await ask(`/submissions/${context.keep['id']}`, context)),
    verifyCallback({ headers, body, receivedAtMs }) {
      const { 'x-lamp-id': id = '', 'x-lamp-time': time = '', 'x-lamp-signature': signature = '' } = headers;
      const due = createHmac('sha256', secret).update(`${id}.${time}.`).update(body).digest();
      const received = Buffer.from(signature, 'base64');
      if (received.length !== due.length || !timingSafeEqual(received, due))
        throw new Error('Not signed by Harbor Lamp.');
      if (!(Math.abs(receivedAtMs - Number(time)) <= MAX_AGE_MS)) throw new Error('Signed too long ago.');
      const { id: reference } = JSON.parse(Buffer.from(body).toString()) as Submission;
      return { id, reference };
    },
  };
}

/** The default export that `--adapters` loads. */
export default () => [
  createHarborLamp({
    url: process.env['HARBOR_LAMP_URL'] ?? 'http://127.0.0.1:4010',
    secret: process.env['HARBOR_LAMP_SECRET'] ?? '',
  }),
];
