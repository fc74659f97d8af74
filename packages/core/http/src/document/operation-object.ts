import type { ContentText, Operation, OperationText } from '../operation/operation.ts';
import type { createComponentSchemas } from './component-schemas.ts';
import type { OperationNote } from './operation-note.ts';
import type { createProblemResponses } from './problem-responses.ts';
import { rateLimitHeaders, requestIdHeader } from './response-headers.ts';

/** What operations share, collected on the way. */
export interface Shared {
  readonly schemas: ReturnType<typeof createComponentSchemas>;
  readonly problems: ReturnType<typeof createProblemResponses>;
}

/** One operation as OpenAPI 3.1 has it. */
export function operationObject(operation: Operation, note: OperationNote, shared: Shared): object {
  const body = 'locate' in operation ? operation.requestBody : undefined;
  const description = operation.description ?? note.description;
  return {
    operationId: operation.operationId,
    tags: [operation.tag],
    summary: operation.summary,
    ...(description === undefined ? {} : { description }),
    security: securityOf(operation),
    parameters: [...pathParameters(operation, note), ...headerParameters(operation, note), requestIdParameter],
    ...(operation.access === 'signed' ? { requestBody: signedBody } : {}),
    ...(body === undefined
      ? {}
      : { requestBody: { required: body.optional !== true, content: contentOf(body, note.request, shared) } }),
    responses: { ...answersOf(operation, note, shared), ...shared.problems.of(operation) },
  };
}

/** Any one of these scopes will do. */
function securityOf({ access }: Operation): object[] {
  if (access === 'anyone' || access === 'signed') return [];
  if (access === 'token') return [{ bearer: [] }];
  if (access === 'operator') return [{ bearer: ['operator'] }];
  return access.scopes.map((scope) => ({ bearer: [scope] }));
}

const signedBody = {
  description: 'Bytes as their sender signed them.',
  required: true,
  content: { 'application/octet-stream': { schema: { type: 'string', contentMediaType: 'application/octet-stream' } } },
};

const requestIdParameter = { $ref: '#/components/parameters/RequestId' };

function pathParameters({ path, parameters = {} }: OperationText, note: OperationNote): object[] {
  return [...path.matchAll(/\{(.+?)\}/g)].map(([, name = '']) => {
    const example = parameters[name]?.example ?? note.parameters?.[name];
    return {
      name,
      in: 'path',
      required: true,
      description: parameters[name]?.description ?? name.replaceAll('_', ' '),
      schema: { type: 'string' },
      ...(example === undefined ? {} : { example }),
    };
  });
}

function headerParameters({ headers = {} }: OperationText, note: OperationNote): object[] {
  return Object.entries({ ...note.headers, ...headers }).map(([name, header]) => ({ name, in: 'header', ...header }));
}

function answersOf(operation: Operation, note: OperationNote, shared: Shared): Record<string, object> {
  const headers = {
    ...requestIdHeader,
    ...('locate' in operation || operation.access === 'token' ? rateLimitHeaders : {}),
  };
  return Object.fromEntries(
    Object.entries(operation.answers).map(([status, { description, content, examples }]) => {
      if (content === undefined) return [status, { description, headers }];
      const contents =
        typeof content === 'string'
          ? {
              [content]: {
                ...(content === '*/*' ? {} : { schema: { type: 'string' } }),
                ...examplesIn(examples ?? note.answer),
              },
            }
          : contentOf(content, note.answer, shared);
      return [status, { description, headers, content: contents }];
    }),
  );
}

function contentOf({ name, schema, examples }: ContentText, noted: OperationNote['request'], { schemas }: Shared) {
  return { 'application/json': { schema: schemas.add(name, schema), ...examplesIn(examples ?? noted) } };
}

function examplesIn(examples: OperationNote['request']): object {
  return examples === undefined ? {} : { examples };
}
