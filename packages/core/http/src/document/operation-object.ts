import {
  type AnswerText,
  type ContentText,
  type Examples,
  type Operation,
  type OperationText,
  requestBodyOf,
} from '../operation/operation.ts';
import type { createComponentSchemas } from './component-schemas.ts';
import type { createProblemResponses } from './problem-responses.ts';
import { rateLimitHeaders, requestIdHeader, versionsHeader } from './response-headers.ts';

/** Collected while operations are written. */
export interface SharedComponents {
  readonly schemas: ReturnType<typeof createComponentSchemas>;
  readonly problems: ReturnType<typeof createProblemResponses>;
}

export function operationObject(operation: Operation, shared: SharedComponents): object {
  const body = requestBodyOf(operation);
  const { description } = operation;
  return {
    operationId: operation.operationId,
    tags: [operation.tag],
    summary: operation.summary,
    ...(description === undefined ? {} : { description }),
    security: securityOf(operation),
    parameters: [...pathParameters(operation), ...headerParameters(operation), requestIdParameter],
    ...(operation.access === 'signed' ? { requestBody: signedBody } : {}),
    ...(body === undefined
      ? {}
      : { requestBody: { required: body.optional !== true, content: contentWithSchema(body, shared) } }),
    responses: { ...answersOf(operation, shared), ...shared.problems.of(operation) },
  };
}

/** One of the scopes is enough. */
function securityOf({ access }: Operation): object[] {
  if (access === 'anyone' || access === 'signed') return [];
  if (access === 'token') return [{ bearer: [] }];
  if (access === 'operator') return [{ bearer: ['operator'] }];
  return access.scopes.map((scope) => ({ bearer: [scope] }));
}

const signedBody = {
  description: 'The bytes that the sender signed.',
  required: true,
  content: { 'application/octet-stream': { schema: { type: 'string', contentMediaType: 'application/octet-stream' } } },
};

const requestIdParameter = { $ref: '#/components/parameters/RequestId' };

function pathParameters({ path, parameters = {} }: OperationText): object[] {
  return [...path.matchAll(/\{(.+?)\}/g)].map(([, name = '']) => {
    const { description = name.replaceAll('_', ' '), example } = parameters[name] ?? {};
    const schema = { type: 'string' };
    return { name, in: 'path', required: true, description, schema, ...(example === undefined ? {} : { example }) };
  });
}

function headerParameters({ headers = {} }: OperationText): object[] {
  return Object.entries(headers).map(([name, header]) => ({ name, in: 'header', ...header }));
}

function answersOf(operation: Operation, shared: SharedComponents): Record<string, object> {
  const isCounted = 'locate' in operation || operation.access === 'token';
  const headers = { ...requestIdHeader, ...(isCounted ? rateLimitHeaders : {}) };
  return Object.fromEntries(
    Object.entries(operation.answers).map(([status, answer]) => {
      const content = contentOf(answer, shared);
      const versions = answer.isVersioned ? versionsHeader : {};
      return [
        status,
        { description: answer.description, headers: { ...headers, ...versions }, ...(content && { content }) },
      ];
    }),
  );
}

function contentOf(
  { content, mediaType, examples, otherTypes = [] }: AnswerText,
  shared: SharedComponents,
): object | undefined {
  if (typeof content !== 'string') {
    const others = otherTypes.map((type) => [type, { schema: { type: 'string' } }] as const);
    return content && { ...contentWithSchema(content, shared, mediaType), ...Object.fromEntries(others) };
  }
  const schema = content === '*/*' ? {} : { schema: { type: 'string' } };
  return { [content]: { ...schema, ...examplesIn(examples) } };
}

function contentWithSchema(
  { name, schema, examples }: ContentText,
  { schemas }: SharedComponents,
  mediaType = 'application/json',
): object {
  return { [mediaType]: { schema: schemas.add(name, schema), ...examplesIn(examples) } };
}

function examplesIn(examples: Examples | undefined): object {
  return examples === undefined ? {} : { examples };
}
