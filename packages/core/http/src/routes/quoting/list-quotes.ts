import type { Caller } from '../../access/directory.ts';
import { asExample, createContentText } from '../../document/content-text.ts';
import { guarded, type Operation } from '../../operation/operation.ts';
import { invalidRequest, notFound } from '../../problem/problem.ts';
import { asQuoteProblem } from '../../quoting/quote-problem.ts';
import { quoteList, type quoteSchemas } from '../../quoting/quote-schema.ts';
import { checkBody } from '../../request/check-body.ts';
import { nothing, quoteList as quoteListExample } from './quote-examples.ts';
import { access, tag, teamOf } from './quote-route.ts';
import type { QuotingPorts } from './quoting-ports.ts';

/** `/api/v1/quote/list`. Unlike other routes of quotes, also for tokens of whole organizations. */
export function quoteListOperation(
  { quotes, organizationOf }: Pick<QuotingPorts, 'quotes' | 'organizationOf'>,
  { listRequest }: Pick<ReturnType<typeof quoteSchemas>, 'listRequest'>,
): Operation {
  const findTeam = async ({ teamId, organizationId }: Caller, requested: string | null | undefined) => {
    if (teamId !== null) {
      if (requested != null && requested !== teamId) throw notFound();
      return teamId;
    }
    if (requested == null) {
      const message = 'team_id is required of a token of a whole organization; give one of its teams.';
      throw invalidRequest([{ path: '/team_id', code: 'required', message }]);
    }
    const owner = await organizationOf?.(requested);
    if (owner === undefined || (organizationId !== null && owner !== organizationId)) throw notFound();
    return requested;
  };
  return guarded<undefined>({
    method: 'post',
    path: '/api/v1/quote/list',
    operationId: 'listQuotes',
    tag,
    access,
    summary: 'List quotes',
    description:
      'The quotes of a team, newest first, with counts and the lowest and highest premium. The insured appears with initials only; a token with the scope `insured` also gets name and address.',
    problems: ['not_found'],
    requestBody: createContentText('ListQuotesRequest', listRequest, 'input', { examples: nothing, optional: true }),
    answers: {
      200: {
        description: 'Done.',
        content: createContentText('ListQuotesResponse', quoteList, 'output', {
          examples: asExample('One quote', quoteListExample),
        }),
      },
    },
    locate(context) {
      if (organizationOf === undefined) teamOf(context);
    },
    async handle({ caller, json }) {
      const body = checkBody(listRequest, json ?? {});
      const list = await quotes
        .list(await findTeam(caller, body.team_id), {
          product: body.product_code == null ? undefined : String(body.product_code),
          status: body.status ?? undefined,
          limit: body.limit ?? undefined,
          cursor: body.cursor ?? undefined,
          showsInsured: caller.scopes.has('insured'),
        })
        .catch((error: unknown) => {
          throw asQuoteProblem(error);
        });
      return { status: 200, body: list };
    },
  });
}
