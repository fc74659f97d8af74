import { Ajv2020, type AnySchema, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';

type Json = Readonly<Record<string, unknown>>;

export interface Contract {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, ContractOperation>>>>;
  readonly components: Json;
}

export interface ContractOperation {
  readonly operationId: string;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly unknown[];
  readonly requestBody?: { readonly required: boolean; readonly content: Contents };
  readonly responses: Readonly<Record<string, unknown>>;
}

type Contents = Readonly<Record<string, { readonly schema: AnySchema; readonly examples?: Json }>>;
interface ContractAnswer {
  readonly headers?: Json;
  readonly content?: Contents;
}

export interface Answered {
  readonly method: string;
  /** Path of the request, with the document's prefix and no other. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface ContractCheck {
  /** Returns the faults of an answer as sentences; empty if it matches the document. */
  faultsOf(answered: Answered): readonly string[];
  /** Returns true if a body is valid for an operation. */
  fitsRequest(operationId: string, body: unknown): boolean;
  /** Returns the faults of a value against a schema of the document; empty if it matches. */
  faultsOfValue(schema: AnySchema, value: unknown): readonly string[];
}

const unmatched: Readonly<Record<number, string>> = {
  404: 'not_found',
  405: 'method_not_allowed',
  429: 'rate_limited',
};

/** Checks answers against the document: status, header fields, media type, body, and the consistency of problems. */
export function createContractCheck(contract: Contract): ContractCheck {
  const compile = compilerOf(contract.components);
  const validators = new Map<AnySchema, ValidateFunction>();
  const validatorOf = (schema: AnySchema) => {
    let validate = validators.get(schema);
    if (!validate) {
      validate = compile(schema);
      validators.set(schema, validate);
    }
    return validate;
  };
  const faultsOfValue = (schema: AnySchema, value: unknown): readonly string[] => {
    const validate = validatorOf(schema);
    return validate(value) ? [] : (validate.errors ?? []).slice(0, 5).map(inWords);
  };
  const resolve = (value: unknown): unknown => {
    const reference = (value as { $ref?: string } | undefined)?.$ref;
    if (reference === undefined) return value;
    return reference
      .split('/')
      .slice(1)
      .reduce((at: unknown, key) => (at as Json)[key], contract);
  };
  const prefix = (contract.servers[0]?.url ?? '/').replace(/\/$/, '');
  const routes = Object.entries(contract.paths)
    // Fixed segments come before parameters: /quote/carriers is not a quote.
    .sort(([a], [b]) => a.split('{').length - b.split('{').length)
    .map(([path, methods]) => ({ pattern: patternOf(path), methods }));
  const problem = { $ref: '#/components/schemas/Problem' };

  function faultsOf({ method, path, status, headers, text }: Answered): readonly string[] {
    const asked = path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
    const matching = asked === undefined ? [] : routes.filter(({ pattern }) => pattern.test(asked));
    const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
    const operation = matching.map(({ methods }) => methods[verb]).find(Boolean);
    if (!operation) return faultsOfUnmatched(matching.length > 0 ? 405 : 404, { status, headers, text });
    const answer = resolve(operation.responses[status]) as ContractAnswer | undefined;
    if (!answer) return [`the document knows no ${status} of ${operation.operationId}`];
    const faults = Object.entries(answer.headers ?? {}).flatMap(([name, header]) =>
      (resolve(header) as { required?: boolean }).required && !headers.has(name)
        ? [`the header field ${name} is missing`]
        : [],
    );
    const type = essenceOf(headers);
    if (method === 'HEAD') return text === '' ? faults : [...faults, 'HEAD has a body'];
    if (!answer.content) return text === '' ? faults : [...faults, `the document has no body for ${status}`];
    const content = answer.content[type] ?? answer.content['*/*'];
    if (!content) return [...faults, `the document knows no ${type} of ${operation.operationId} ${status}`];
    if (!type.endsWith('json')) return faults;
    const value = parsed(text);
    if (value === undefined) return [...faults, 'the body is no JSON'];
    faults.push(...faultsOfValue(content.schema, value));
    if (type === 'application/problem+json')
      faults.push(...problemFaults(value as Json, status, headers, Object.keys(content.examples ?? {})));
    return faults;
  }

  /** Requests that match no operation are answered with a problem too. */
  function faultsOfUnmatched(expected: 404 | 405, { status, headers, text }: Omit<Answered, 'method' | 'path'>) {
    // Requests without a token are limited per address.
    if (status !== expected && status !== 429)
      return [`a path or method of no operation is answered ${status}, not ${expected}`];
    const value = parsed(text);
    // HEAD has no body to look at.
    if (text === '' && headers.has('x-request-id')) return [];
    if (essenceOf(headers) !== 'application/problem+json' || value === undefined) return ['it is no problem'];
    const faults = [
      ...faultsOfValue(problem, value),
      ...problemFaults(value as Json, status, headers, [unmatched[status]!]),
    ];
    return status === 405 && !headers.has('allow') ? [...faults, 'the header field Allow is missing'] : faults;
  }

  return {
    faultsOf,
    faultsOfValue,
    fitsRequest(operationId, body) {
      for (const methods of Object.values(contract.paths))
        for (const operation of Object.values(methods))
          if (operation.operationId === operationId) {
            const schema = operation.requestBody?.content['application/json']?.schema;
            return schema === undefined || faultsOfValue(schema, body).length === 0;
          }
      throw new TypeError(`There is no operation ${operationId}.`);
    },
  };
}

const compilers = new Map<string, (schema: AnySchema) => ValidateFunction>();

/**
 * Compiles schemas that refer to these components. Most services of a process share one document, so each schema is
 * compiled once.
 */
function compilerOf(components: Json): (schema: AnySchema) => ValidateFunction {
  const text = JSON.stringify(components);
  const known = compilers.get(text);
  if (known) return known;
  // Compiled schemas run only a few times: optimizing them takes longer than it saves.
  const code = { optimize: false };
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false, addUsedSchema: false, code });
  ajv.addSchema({ components }, 'contract');
  const compiled = new Map<string, ValidateFunction>();
  const compile = (schema: AnySchema) => {
    const key = JSON.stringify(schema);
    const validate = compiled.get(key) ?? ajv.compile(absolute(schema) as AnySchema);
    compiled.set(key, validate);
    return validate;
  };
  compilers.set(text, compile);
  return compile;
}

/** A problem must repeat the answer's status and request id, and its code must be one that the operation lists. */
function problemFaults(problem: Json, status: number, headers: Headers, codes: readonly string[]): string[] {
  const faults: string[] = [];
  if (problem['status'] !== status) faults.push(`the problem says ${problem['status']}, the answer ${status}`);
  if (problem['request_id'] !== headers.get('x-request-id')) faults.push('the problem has another request_id');
  if (!codes.includes(String(problem['code']))) faults.push(`${problem['code']} is none of ${codes.join(', ')}`);
  return faults;
}

function patternOf(path: string): RegExp {
  const source = path
    .split('/')
    .map((part) => (/^\{.+\}$/.test(part) ? '[^/]+' : part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')));
  return new RegExp(`^${source.join('/')}$`);
}

function essenceOf(headers: Headers): string {
  return (headers.get('content-type') ?? '').split(';')[0]!.trim();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** References of a piece of the document, as they are found from outside of it. */
function absolute(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(absolute);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, each]) => [
      key,
      key === '$ref' && typeof each === 'string' ? each.replace(/^#/, 'contract#') : absolute(each),
    ]),
  );
}

function inWords({ instancePath, message = '', params }: ErrorObject): string {
  return `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`;
}

export function describeFaults({ method, path, status, text }: Answered, faults: readonly string[]): string {
  return `${method} ${path} is answered ${status}, outside the contract: ${faults.join('; ')}\n${text.slice(0, 1_000)}`;
}
