import type { OpenAPIHono } from '@hono/zod-openapi';
import type { ContentText, Operation, RouteGroup } from '../operation/operation.ts';
import { Problem, type ProblemCode, problemKinds } from '../problem/problem.ts';
import { problemDocument, problemSchema } from '../problem/problem-document.ts';
import { createComponentSchemas, jsonSchemaOf } from './component-schemas.ts';

export type OpenApiDocument = ReturnType<OpenAPIHono['getOpenAPI31Document']>;
type RouteConfig = Parameters<OpenAPIHono['openAPIRegistry']['registerPath']>[0];
type Components = ReturnType<typeof createComponentSchemas>;

/** Problems that any operation behind a token can end in, whatever it does. */
const everywhere: readonly ProblemCode[] = [
  'unauthenticated',
  'forbidden',
  'rate_limited',
  'internal_error',
  'unavailable',
];
const withBody: readonly ProblemCode[] = [
  'malformed_json',
  'body_too_large',
  'unsupported_media_type',
  'invalid_request',
];

/** Writes OpenAPI 3.1 from the schemas that validate and answer. */
export function openApiDocument(app: OpenAPIHono, groups: readonly RouteGroup[], server: string): OpenApiDocument {
  const schemas = createComponentSchemas();
  const registry = app.openAPIRegistry;
  schemas.add('Problem', jsonSchemaOf(problemSchema, 'output'));
  const bearer = registry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    description: 'An organization’s API key, a team’s token, or the operator’s: `lw_<environment>_<id>_<secret>`.',
  });
  for (const group of groups)
    for (const operation of group.operations) registry.registerPath(pathOf(operation, bearer.name, schemas));
  for (const [name, schema] of Object.entries(schemas.components))
    registry.registerComponent('schemas', name, schema as never);
  return app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Leeward',
      version: '1.0.0',
      description:
        'Underwriting, quoting and distance to coast for home insurance. Bodies are JSON in snake_case; problems are RFC 9457.',
      license: { name: 'MIT', identifier: 'MIT' } as never,
    },
    servers: [{ url: server }],
    tags: groups.map(({ name, description }) => ({ name, description })),
  });
}

function pathOf(operation: Operation, securityScheme: string, schemas: Components): RouteConfig {
  const body = 'locate' in operation ? operation.requestBody : undefined;
  const { description, parameters } = operation;
  return {
    method: operation.method,
    path: operation.path,
    operationId: operation.operationId,
    tags: [operation.tag],
    summary: operation.summary,
    ...(description === undefined ? {} : { description }),
    security: operation.access === 'anyone' ? [] : [{ [securityScheme]: [] }],
    ...(parameters === undefined ? {} : { parameters: parametersOf(parameters) }),
    ...(body === undefined
      ? {}
      : { request: { body: { required: body.optional !== true, content: contentOf(body, schemas) } } }),
    responses: responsesOf(operation, schemas),
  } as unknown as RouteConfig;
}

/** By status, lowest first; one that several problems share names them all. */
function responsesOf(operation: Operation, schemas: Components): Record<string, unknown> {
  const responses: Record<string, unknown> = {};
  for (const [status, { description, content }] of Object.entries(operation.answers)) {
    const contents =
      typeof content === 'string' ? { [content]: { schema: { type: 'string' } } } : contentOf(content, schemas);
    responses[status] = { description, headers: requestIdHeader, content: contents };
  }
  const problems = Map.groupBy(problemsOf(operation), (code) => problemKinds[code].status);
  for (const [status, codes] of problems) responses[status] = problemResponse(status, codes);
  return responses;
}

function problemsOf(operation: Operation): readonly ProblemCode[] {
  const { access, problems = [] } = operation;
  if ('locate' in operation) {
    return [...everywhere, ...withBody, ...problems, ...(operation.path.includes('{') ? ['not_found' as const] : [])];
  }
  const guards = access === 'anyone' ? [] : (['unauthenticated', 'forbidden'] as const);
  return [...guards, ...problems, 'internal_error'];
}

function parametersOf(parameters: NonNullable<Operation['parameters']>) {
  return Object.entries(parameters).map(([name, { description, example }]) => ({
    name,
    in: 'path',
    required: true,
    description,
    schema: { type: 'string' },
    ...(example === undefined ? {} : { example }),
  }));
}

function contentOf(content: ContentText, schemas: Components) {
  const { name, schema, examples } = content;
  return { 'application/json': { schema: schemas.add(name, schema), ...(examples === undefined ? {} : { examples }) } };
}

const requestIdHeader = {
  'X-Request-Id': { description: 'The caller’s own when sane, else a new one.', schema: { type: 'string' } },
};

/** The answer of one status: every kind of problem it can be, with an example each. */
function problemResponse(status: number, codes: readonly ProblemCode[]) {
  const examples = Object.fromEntries([...new Set(codes)].map((code) => [code, { value: problemExample(code) }]));
  return {
    description: codes.map((code) => `\`${code}\`: ${problemKinds[code].title}.`).join(' '),
    headers: status === 429 || status === 503 ? { ...requestIdHeader, ...retryAfterHeader } : requestIdHeader,
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' }, examples } },
  };
}

const retryAfterHeader = {
  'Retry-After': { description: 'Seconds to wait before asking again.', schema: { type: 'string' } },
};

function problemExample(code: ProblemCode) {
  const message = 'roof_type is required when roof_age is given; give both, or neither.';
  const errors = [{ path: '/roof_type', code: 'required_with', message }];
  const problem = new Problem(code, problemKinds[code].title, code === 'invalid_request' ? { errors } : {});
  return problemDocument(problem, '018f2f6e-7a5b-4c1d-9e3f-2b6a1c0d4e5f');
}
