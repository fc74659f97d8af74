import type { Quotes } from '@leeward/quotes';
import { asExample, createContentText } from '../../document/content-text.ts';
import { guarded, type Operation } from '../../operation/operation.ts';
import { invalidRequest, notFound } from '../../problem/problem.ts';
import { proposalPage } from '../../quoting/proposal-page.ts';
import { asQuoteProblem } from '../../quoting/quote-problem.ts';
import { proposalRequest } from '../../quoting/quote-schema.ts';
import { checkBody } from '../../request/check-body.ts';
import { access, type QuoteResource, tag, teamOf } from './quote-route.ts';

/** `/api/v1/quote/{quote}/proposal`: a page to print. */
export function quoteProposalOperation(quotes: Quotes, quote: QuoteResource): Operation {
  return guarded<string>({
    method: 'post',
    path: '/api/v1/quote/{quote}/proposal',
    operationId: 'writeQuoteProposal',
    tag,
    access,
    summary: 'Write a proposal',
    description:
      'A page to print: the rates of a quote side by side, by form type, with the name of the agency. It has no scripts and no outside content. A token with the scope `insured` gets the name and address of the insured on it.',
    problems: ['not_found'],
    parameters: quote.parameters,
    isPresent: quote.isPresent,
    requestBody: createContentText('WriteQuoteProposalRequest', proposalRequest, 'input', {
      examples: asExample('All rates', { agency_name: 'Palmetto Coast Insurance' }),
    }),
    answers: {
      200: {
        description: 'The page.',
        content: 'text/html',
        examples: asExample('A page', '<!doctype html><title>Insurance proposal</title>'),
      },
    },
    locate: teamOf,
    async handle({ resource: teamId, params, json, caller }) {
      const { agency_name, form_type, rate_ids } = checkBody(proposalRequest, json);
      const options = { formType: form_type ?? undefined, showsInsured: caller.scopes.has('insured') };
      const comparison = await quotes.compare(teamId, params['quote']!, options).catch((error: unknown) => {
        throw asQuoteProblem(error);
      });
      if (comparison === undefined) throw notFound();
      const priced = new Set(comparison.rates.map(({ id }) => id));
      const faults = (rate_ids ?? []).flatMap((id, index) =>
        priced.has(id) ? [] : [{ path: `/rate_ids/${index}`, code: 'unknown_rate', message: unknownRate }],
      );
      if (faults.length > 0) throw invalidRequest(faults);
      const { html, policy } = proposalPage(comparison, agency_name, (id) => rate_ids?.includes(id) ?? true);
      return {
        status: 200,
        text: html,
        contentType: 'text/html; charset=utf-8',
        headers: { 'content-security-policy': policy },
      };
    },
  });
}

const unknownRate = 'This is not a rate of the quote with a premium; give an id of the rates that compare lists.';
