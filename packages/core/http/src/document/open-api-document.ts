import type { RouteGroup } from '../operation/operation.ts';
import { problemSchema } from '../problem/problem-document.ts';
import { createComponentSchemas, jsonSchemaOf } from './component-schemas.ts';
import { operationObject } from './operation-object.ts';
import { createProblemResponses } from './problem-responses.ts';
import { headerComponents, parameterComponents } from './response-headers.ts';

/** Depends on the mounted operations. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary: string;
    readonly description: string;
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

/**
 * Writes OpenAPI 3.1 from the schemas that validate requests and describe answers.
 *
 * @throws {TypeError} if two schemas have one name
 */
export function openApiDocument(groups: readonly RouteGroup[], server: string): OpenApiDocument {
  const shared = { schemas: createComponentSchemas(), problems: createProblemResponses(server === '/' ? '' : server) };
  shared.schemas.add('Problem', jsonSchemaOf(problemSchema, 'output'));
  const paths: Record<string, Record<string, object>> = {};
  for (const { operations } of groups) {
    for (const operation of operations) {
      paths[operation.path] ??= {};
      paths[operation.path]![operation.method] = operationObject(operation, shared);
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Leeward',
      version: '1.0.0',
      summary: 'Underwriting, quoting and distance to coast for home insurance.',
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: server }],
    tags: tagsOf(groups),
    paths,
    components: {
      schemas: shared.schemas.components,
      responses: shared.problems.components,
      headers: headerComponents,
      parameters: parameterComponents,
      securitySchemes: { bearer },
    },
  };
}

/** The first group describes a shared tag. */
function tagsOf(groups: readonly RouteGroup[]) {
  const descriptions = new Map(groups.toReversed().map(({ name, description }) => [name, description]));
  return [...new Set(groups.map(({ name }) => name))].map((name) => ({ name, description: descriptions.get(name)! }));
}

const bearer = {
  type: 'http',
  scheme: 'bearer',
  description:
    '`lw_<environment>_<id>_<secret>`. Scopes: `underwrite` and `distance` for the API key of an organization, `rules` to read rule sets, `quote` and `distance` for a team, `admin` for an administrator, `operator` for the operator.',
};

/** CommonMark. */
const introduction = `Underwriting, quoting and distance to coast for home insurance.

**Requests.** Operations are \`POST\` with JSON in and out, in \`snake_case\`; a few that only read are \`GET\`. \`null\` and blank text mean not given. Named values are accepted in any case, with or without blanks and hyphens: \`"HO-3"\` is \`ho3\`. Numbers are digits without separators or signs of currency: \`250000\`, not \`"$250,000"\`. The maximum size of a body is 256 KiB.

**Tokens.** \`Authorization: Bearer <token>\` everywhere. A token needs one of the scopes that the operation names.

**Problems.** All errors are problem details (RFC 9457), \`application/problem+json\`, with every fault of the request and its JSON Pointer. Checks run in this order, and the first that fails determines the answer: \`Host\` (400), route (404, 405), token (401), scope (403) or another tenant’s (404), announced (501), rate limit (429). Body: media type (415), size (413), JSON (400), idempotency (409), schema and rules across fields (422). A path under another method is answered 405 with \`Allow\`. Resources of another tenant and missing ones are the same 404. Messages that are not valid HTTP requests are answered in the same form: 400 \`malformed_request\`, 408 \`request_timeout\`, 413, 417 \`expectation_failed\`, 431 \`headers_too_large\`.

**Answers.** Each carries \`X-Request-Id\`: the caller’s own if it is valid, else a new one. Log lines have it too.`;
