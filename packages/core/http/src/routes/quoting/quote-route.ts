import type { z } from 'zod';
import { createContentText } from '../../document/content-text.ts';
import { type Examples, guarded, type Operation, type OperationText } from '../../operation/operation.ts';
import type { GuardedContext } from '../../operation/request-context.ts';
import { notFound, Problem } from '../../problem/problem.ts';
import { asQuoteProblem } from '../../quoting/quote-problem.ts';
import { emptyRequest } from '../../quoting/quote-schema.ts';
import { checkBody } from '../../request/check-body.ts';
import { quoteRequestId, rateId } from './quote-examples.ts';

/** An operation of a team on its quotes. */
interface QuoteRoute extends Pick<OperationText, 'path' | 'operationId' | 'summary' | 'problems' | 'headers'> {
  readonly description: string;
  /** `emptyRequest` is optional and checked here; others are checked by `run`. */
  readonly request: z.ZodType;
  /** True if the body may be omitted. */
  readonly isOptional?: boolean;
  /** If omitted, the answer is a JSON Schema. */
  readonly response?: z.ZodType;
  readonly example: { readonly request: Examples; readonly answer: Examples };
  /** The quote or rate that the path names. */
  readonly resource?: QuoteResource;
  /** Resolves to undefined if there is no such quote or rate. */
  readonly run: (teamId: string, context: GuardedContext<string>) => Promise<unknown>;
}

/** A quote or a rate in a path. */
export interface QuoteResource {
  readonly parameters: NonNullable<OperationText['parameters']>;
  readonly isPresent: (context: GuardedContext<string>) => Promise<boolean>;
}

export const tag = 'quoting';
export const access = { scopes: ['quote'] };

export const quoteParameter = { quote: { description: 'Either identifier of the quote.', example: quoteRequestId } };
export const rateParameter = { rate: { description: 'The rate’s identifier.', example: rateId } };

export function quoteRoute(options: QuoteRoute): Operation {
  const { path, operationId, summary, description, headers, problems, request, response, example, resource } = options;
  const isOptional = options.isOptional ?? request === emptyRequest;
  const name = `${operationId[0]?.toUpperCase()}${operationId.slice(1)}`;
  const answerName = `${name}Response`;
  const content = response
    ? createContentText(answerName, response, 'output', { examples: example.answer })
    : {
        name: answerName,
        schema: { type: 'object', description: 'JSON Schema (2020-12).' },
        examples: example.answer,
      };
  return guarded<string>({
    method: 'post',
    path,
    operationId,
    tag,
    access,
    summary,
    description,
    ...(problems && { problems }),
    ...(headers && { headers }),
    ...(resource && { parameters: resource.parameters, isPresent: withQuoteProblems(resource.isPresent) }),
    requestBody: createContentText(`${name}Request`, request, 'input', {
      examples: example.request,
      ...(isOptional && { optional: true }),
    }),
    answers: { 200: { description: 'Done.', content } },
    locate: teamOf,
    handle: withQuoteProblems(async (context: GuardedContext<string>) => {
      if (request === emptyRequest) checkBody(emptyRequest, context.json ?? {});
      const body = await options.run(context.resource, context);
      if (body === undefined) throw notFound();
      return { status: 200, body };
    }),
  });
}

/** @throws {Problem} `forbidden` for a key of a whole organization */
export function teamOf({ caller }: GuardedContext<unknown>): string {
  if (caller.teamId !== null) return caller.teamId;
  throw new Problem('forbidden', 'Quoting requires the token of a team; this token belongs to a whole organization.');
}

function withQuoteProblems<Context, Result>(run: (context: Context) => Promise<Result>) {
  return async (context: Context): Promise<Result> => {
    try {
      return await run(context);
    } catch (error) {
      throw asQuoteProblem(error);
    }
  };
}
