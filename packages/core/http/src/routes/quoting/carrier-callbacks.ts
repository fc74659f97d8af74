import { isUnavailable, type Quotes } from '@leeward/quotes';
import { z } from 'zod';
import { createContentText } from '../../document/content-text.ts';
import type { SignedOperation } from '../../operation/operation.ts';
import { notFound, Problem, unavailable } from '../../problem/problem.ts';

const callbackTaken = z.object({ status: z.literal('taken') }).meta({ id: 'CarrierCallbackTaken' });

/** `/carrier/v1/callback/{carrier_key}`: a carrier reports the result of a pending request. */
export function carrierCallbackOperation(quotes: Quotes): SignedOperation {
  return {
    method: 'post',
    path: '/carrier/v1/callback/{carrier_key}',
    operationId: 'receiveCarrierCallback',
    tag: 'quoting',
    access: 'signed',
    maxBodyBytes: 65_536,
    summary: 'Receive a carrier’s callback',
    description:
      'For carriers, not for callers: the result of a request that the carrier answered as pending. ' +
      'The adapter of the carrier verifies the signature first. Each callback is accepted once.',
    parameters: { carrier_key: { description: 'The carrier’s key.', example: 'lantern_mutual' } },
    answers: {
      200: {
        description: 'Accepted: the rate has ended, or its answer is polled now.',
        content: createContentText('ReceiveCarrierCallbackResponse', callbackTaken, 'output'),
      },
    },
    problems: ['forbidden', 'not_found', 'conflict'],
    async handle({ params, request }, body) {
      const callback = { headers: Object.fromEntries(request.headers), body, receivedAtMs: Date.now() };
      const fate = await quotes.receiveCallback(params['carrier_key']!, callback).catch((thrown: unknown) => {
        throw isUnavailable(thrown) ? unavailable('The store of quotes', thrown) : thrown;
      });
      switch (fate) {
        case 'taken':
          return { status: 200, body: { status: 'taken' } };
        case 'refused':
          throw new Problem('forbidden', 'The callback is not signed by this carrier, or its signature is too old.');
        case 'replayed':
          throw new Problem('conflict', 'This callback was accepted before; it changes nothing.');
        case 'late':
          throw new Problem('conflict', 'The rate of this callback is no longer pending.');
        default:
          throw notFound();
      }
    },
  };
}
