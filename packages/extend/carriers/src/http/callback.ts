import { createHmac, timingSafeEqual } from 'node:crypto';
import type { CarrierCallback, VerifiedCallback } from '@leeward/quotes';
import { decodeBody } from './decode-body.ts';
import { valueAt } from './job.ts';
import { mapResponse } from './map-response.ts';
import type { HttpJobFile } from './schema.ts';
import { fillSecrets, type Secrets } from './secrets.ts';

const USUAL_TOLERANCE_SECONDS = 300;

/** Checks callbacks by their signature: HMAC with SHA-256 over what the file says is signed. Anything thrown refuses. */
export function createCallbackCheck({ callback, poll, referrals = false }: HttpJobFile, secrets: Secrets) {
  const { signature, id, reference, response } = callback!;
  const { header, encoding = 'hex', prefix = '', timestamp_header: timed, signed = '{{body}}' } = signature;
  return ({ headers, body, receivedAtMs }: CarrierCallback): VerifiedCallback => {
    const timestamp = timed === undefined ? '' : (headers[timed.toLowerCase()] ?? '');
    const [before = '', after = ''] = signed
      .split('{{body}}')
      .map((part) => part.replace('{{timestamp}}', () => timestamp));
    const due = createHmac('sha256', fillSecrets(signature.secret, secrets))
      .update(before)
      .update(body)
      .update(after)
      .digest();
    const said = headers[header.toLowerCase()] ?? '';
    const given = Buffer.from(said.startsWith(prefix) ? said.slice(prefix.length) : '', encoding);
    if (given.length !== due.length || !timingSafeEqual(given, due))
      throw new Error('It is not signed by the carrier.');
    const toleranceMs = (signature.tolerance_seconds ?? USUAL_TOLERANCE_SECONDS) * 1000;
    // Negated, so that what is no number at all is refused as well.
    if (timed !== undefined && !(Math.abs(Number(timestamp) * 1000 - receivedAtMs) <= toleranceMs)) {
      throw new Error('It was signed too long ago or in the future, or has no date.');
    }
    const parsed: unknown = JSON.parse(decodeBody(body, headers['content-type']));
    const message = {
      status: 200,
      body: parsed,
      isRead: true,
      retryAfterMs: undefined,
      headers: new Headers({ ...headers }),
    };
    const verified = { id: valueAt(message, id) ?? '', reference: valueAt(message, reference) ?? '' };
    const answer = response && mapResponse(parsed, response, undefined);
    if (answer?.outcome !== 'referred' || !referrals) return { ...verified, answer };
    // It goes on. A poll brings the referral as well, with what the next look needs.
    if (poll !== undefined) return { ...verified, answer: undefined };
    return { ...verified, answer: { ...answer, pending: { reference: verified.reference } } };
  };
}
