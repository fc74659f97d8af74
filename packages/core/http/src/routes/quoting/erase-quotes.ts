import { nextTurn } from '@leeward/engine/compiled';
import { asExample } from '../../document/content-text.ts';
import type { Operation } from '../../operation/operation.ts';
import { Problem } from '../../problem/problem.ts';
import { emptyRequest, eraseInsuredRequest, insuredErased, quoteErased } from '../../quoting/quote-schema.ts';
import { nothing } from './quote-examples.ts';
import { type QuoteResource, quoteRoute } from './quote-route.ts';
import type { QuotingPorts } from './quoting-ports.ts';

/** Erasure of personal data, of one quote or of one insured. */
export function erasureOperations(
  { quotes, audit }: Required<Pick<QuotingPorts, 'quotes' | 'audit'>>,
  quote: QuoteResource,
): Operation[] {
  return [
    quoteRoute({
      path: '/api/v1/quote/erase',
      operationId: 'eraseInsured',
      summary: 'Erase the personal data of an insured',
      description:
        'Erases all quotes of the team for one insured, as for one quote, with their watched homes. Watched homes without a quote stay: remove them with `watched-homes/remove`. Name the insured by e-mail address, telephone number, or family name with date of birth, each as in a quote.',
      request: eraseInsuredRequest,
      response: insuredErased,
      example: {
        request: asExample('By e-mail address', { insured_email: 'dana.whitfield@example.com' }),
        answer: asExample('Two quotes', {
          erased: ['019aa0d6-7b00-7c3d-8e4f-0123456789ab', '019aa0d6-7b00-7c3d-8e4f-0123456789bc'],
          unreadable: 0,
        }),
      },
      async run(teamId, { json, caller, requestId, network, turn }) {
        let end: unknown;
        const pause = () =>
          nextTurn(turn).then(
            () => true,
            (error: unknown) => {
              end = error;
              return false;
            },
          );
        const result = await quotes.eraseInsured(teamId, json, { pause });
        const details = { quotes: result.erased.length, unreadable: result.unreadable };
        await audit({ caller, requestId, network, action: 'quotes.erase_insured', subjectId: teamId, details });
        for (const subjectId of result.erased)
          await audit({ caller, requestId, network, action: 'quotes.erase', subjectId });
        if (end !== undefined) throw end;
        if (result.unreadable > 0) throw incompleteErasure(result.erased, result.unreadable);
        return result;
      },
    }),
    quoteRoute({
      path: '/api/v1/quote/{quote}/erase',
      operationId: 'eraseQuote',
      summary: 'Erase the personal data of a quote',
      description:
        'Erases the personal data for good: the fields, the carriers’ answers, the producer’s address, watched homes of the quote. Open rates end as `cancelled`. Counts, outcomes and premiums stay. The audit log records it.',
      request: emptyRequest,
      response: quoteErased,
      problems: ['not_found'],
      resource: quote,
      example: {
        request: nothing,
        answer: asExample('Erased', {
          quote_request_id: '019aa0d6-7b00-7c3d-8e4f-0123456789ab',
          service_quote_id: '019aa0d6-7b00-7c3d-8e4f-0123456789ac',
          newly_erased: true,
        }),
      },
      async run(teamId, { params, caller, requestId, network }) {
        const status = await quotes.status(teamId, params['quote']!);
        if (status === undefined) return undefined;
        const { quote_request_id, service_quote_id } = status;
        const newly_erased = await quotes.erase(teamId, quote_request_id);
        await audit({ caller, requestId, network, action: 'quotes.erase', subjectId: quote_request_id });
        return { quote_request_id, service_quote_id, newly_erased };
      },
    }),
  ];
}

/** The readable quotes are erased; unreadable ones may belong to the same person. */
function incompleteErasure(erased: readonly string[], unreadable: number): Problem {
  const detail = `Erased ${erased.length} quotes; ${unreadable} could not be decrypted, so their insured is unknown. The operator adds the missing key, or erases these quotes if it is lost (leeward keys status). Then send this request again.`;
  return new Problem('unavailable', detail, { headers: { 'retry-after': '3600' }, members: { erased, unreadable } });
}
