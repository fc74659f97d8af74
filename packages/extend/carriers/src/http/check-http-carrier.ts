import { type QuotedLine, quotedLines } from '@leeward/quotes';
import { didYouMean, exceedsDepth, type Fault, isObject, quoteValue } from '@leeward/terms';
import { shapeFaults } from '../shape-faults.ts';
import { keyFaults } from './auth/keys.ts';
import { jobFaults, requestsOf, stepFaults } from './check-steps.ts';
import { dialectFaults } from './dialect/check-dialect.ts';
import { isDateFormat } from './dialect/convert.ts';
import { basisFaults } from './premium-basis.ts';
import { type HttpCarrierFile, type HttpRequestFile, httpCarrierSchema } from './schema.ts';
import { fillSecrets, type Secrets, secretFaults } from './secrets.ts';
import { nameFaults, templateFaults } from './template.ts';

const MAX_DEPTH = 24;

/** A description, or all faults of its file. */
export interface CheckedHttpCarrier {
  /** Without faults. */
  readonly carrier?: HttpCarrierFile;
  readonly faults: readonly Fault[];
}

export interface HttpCarrierCheckOptions {
  /** For `${NAME}`. @default none */
  readonly secrets?: Secrets;
  /** In addition to homes. @default none */
  readonly lines?: readonly QuotedLine[];
}

/**
 * Checks the description of an HTTP carrier. Reports all faults at once, never throws, and prints no secret. @param file Parsed JSON of
 * `http-carrier.json`.
 * @example
 * const { carrier, faults } = checkHttpCarrier(JSON.parse(text), { secrets: (name) => process.env[name] });
 */
export function checkHttpCarrier(file: unknown, options: HttpCarrierCheckOptions = {}): CheckedHttpCarrier {
  const { secrets = () => undefined } = options;
  const { formTypes } = quotedLines(options.lines);
  if (!isObject(file)) {
    const message = `The description of an HTTP carrier is a JSON object; this is ${quoteValue(file)}.`;
    return { faults: [{ path: '', code: 'not_an_http_carrier', message }] };
  }
  if (exceedsDepth(file, MAX_DEPTH)) {
    return {
      faults: [{ path: '', code: 'too_deep', message: `The file is nested more than ${MAX_DEPTH} levels deep.` }],
    };
  }
  const shape = httpCarrierSchema.safeParse(file);
  if (!shape.success) {
    return { faults: shapeFaults(httpCarrierSchema, shape.error.issues, file) };
  }
  const carrier = shape.data;
  const unknown = carrier.offers.flatMap(({ form_types }, offer) =>
    form_types.flatMap((formType, index): Fault[] => {
      if (formTypes.includes(formType)) return [];
      const message = `${quoteValue(formType)} is not a form type; use one of: ${formTypes.join(', ')}.${didYouMean(formType, formTypes)}`;
      return [{ path: `/offers/${offer}/form_types/${index}`, code: 'unknown_policy_type', message }];
    }),
  );
  const faults = [
    ...unknown,
    ...requestsOf(carrier).flatMap(({ request, path, names }) => requestFaults(request, path, secrets, names)),
    ...stepFaults(carrier),
    ...dialectFaultsOf(carrier),
    ...jobFaults(carrier, secrets),
    ...authFaults(carrier, secrets),
    ...keyFaults(carrier, secrets),
    ...plainFaults(carrier),
    ...documentFaults(carrier),
    ...basisFaults(carrier),
    ...prefixFaults(carrier),
  ];
  const { backoff_ms: backoff } = carrier.limits ?? {};
  if (backoff !== undefined && backoff[0] > backoff[1]) {
    const message = `The maximum wait (${backoff[1]}) is shorter than the first (${backoff[0]}).`;
    faults.push({ path: '/limits/backoff_ms', code: 'not_rising', message });
  }
  return faults.length > 0 ? { faults } : { carrier, faults: [] };
}

function requestFaults(request: HttpRequestFile, path: string, secrets: Secrets, names: readonly string[]): Fault[] {
  const faults: Fault[] = [];
  const sample = request.url.replace(/\{\{[^}]*\}\}/g, 'x').replace(/\$\{\w+\}/g, 'x');
  // A field must not choose the host: it ends before the first value.
  const [, host = ''] = /^https?:\/\/([^/\\?#]*)/i.exec(request.url) ?? [];
  if (host === '' || host.includes('{{') || host.includes('@') || !URL.canParse(sample)) {
    const message = `${quoteValue(request.url)} is not an address that begins with https:// and a fixed host without a user.`;
    faults.push({ path: `${path}/url`, code: 'invalid_url', message });
  }
  if (request.method === 'GET' && request.body !== undefined) {
    faults.push({ path: `${path}/body`, code: 'body_of_get', message: 'A GET request cannot have a body.' });
  }
  faults.push(
    ...templateFaults(request.url, `${path}/url`, names),
    ...secretFaults(request.url, secrets, `${path}/url`),
  );
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    const at = `${path}/headers/${name}`;
    faults.push(
      ...templateFaults(value, at, names),
      ...secretFaults(value, secrets, at),
      ...headerFaults(value, secrets, at),
    );
    if (!reservedHeaders.has(name.toLowerCase())) continue;
    faults.push({ path: at, code: 'reserved_header', message: `The HTTP client sets the header ${name}.` });
  }
  faults.push(...templateFaults(request.body, `${path}/body`, names));
  return faults;
}

function dialectFaultsOf(carrier: HttpCarrierFile): Fault[] {
  const { dialect, request } = carrier;
  const formats = [carrier.response, carrier.job?.poll?.response, carrier.lookup?.response].flatMap(
    (response) => response?.expires_format ?? [],
  );
  const faults: Fault[] = formats
    .filter((format) => !isDateFormat(format))
    .map((format) => ({
      path: '/response/expires_format',
      code: 'invalid_date_format',
      message: `${quoteValue(format)} must contain YYYY, MM and DD once each.`,
    }));
  if (dialect === undefined) return faults;
  if (request.body !== undefined || request.method === 'GET') {
    const message = '"dialect" makes the body: omit "body", and use POST or PUT.';
    faults.push({ path: '/request/body', code: 'two_bodies', message });
  }
  const { names } = requestsOf(carrier).find(({ path }) => path === '/request')!;
  return [...faults, ...dialectFaults(dialect, (name, path) => nameFaults(name, path, names))];
}

function authFaults({ auth }: HttpCarrierFile, secrets: Secrets): Fault[] {
  if (auth === undefined) return [];
  return Object.entries(auth).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [...secretFaults(value, secrets, `/auth/${key}`), ...headerFaults(value, secrets, `/auth/${key}`)]
      : [],
  );
}

/** A client certificate needs TLS. */
function plainFaults(carrier: HttpCarrierFile): Fault[] {
  const { tls, auth } = carrier;
  if (tls === undefined) return [];
  const addresses: readonly (readonly [string, string])[] = [
    ...requestsOf(carrier).map(({ request, path }) => [`${path}/url`, request.url] as const),
    ...(auth?.type === 'oauth2_client_credentials' ? [['/auth/token_url', auth.token_url] as const] : []),
    ...(carrier.documents?.origins ?? []).map((url, index) => [`/documents/origins/${index}`, url] as const),
  ];
  return addresses
    .filter(([, url]) => !/^https:/i.test(url))
    .map(([path]) => ({ path, code: 'not_https', message: 'A client certificate needs https://.' }));
}

/** XML answers are read without namespace prefixes: such a path finds nothing. */
function prefixFaults({ dialect, response, job, lookup }: HttpCarrierFile): Fault[] {
  if (dialect?.format !== 'xml') return [];
  const faults: Fault[] = [];
  const visit = (value: unknown, path: string): void => {
    if (isObject(value)) {
      for (const [key, each] of Object.entries(value)) if (key !== '$comment') visit(each, `${path}/${key}`);
    } else if (Array.isArray(value)) {
      for (const [index, each] of value.entries()) visit(each, `${path}/${index}`);
    } else if (typeof value === 'string' && value.startsWith('/') && /\/@?[\w-]+:/.test(value)) {
      const plain = value.replaceAll(/(\/@?)[\w-]+:/g, '$1');
      const message = `${quoteValue(value)} finds nothing, because answers in XML are read without namespace prefixes; use ${quoteValue(plain)}.`;
      faults.push({ path, code: 'namespace_prefix', message });
    }
  };
  visit(response, '/response');
  visit(job?.poll?.response, '/job/poll/response');
  visit(job?.callback?.response, '/job/callback/response');
  visit(lookup?.response, '/lookup/response');
  return faults;
}

/** "documents" needs credentials, and an answer that names documents. */
function documentFaults({ documents, auth, tls, response, job, lookup }: HttpCarrierFile): Fault[] {
  if (documents === undefined) return [];
  const faults: Fault[] = [];
  if (auth === undefined && tls === undefined) {
    const message =
      '"documents" needs "auth" or "tls", since documents are fetched with credentials: add one, or omit it.';
    faults.push({ path: '/documents', code: 'no_credentials', message });
  }
  const answers = [response, job?.poll?.response, job?.callback?.response, lookup?.response];
  if (!answers.some((answer) => answer?.documents !== undefined)) {
    const message = 'No answer names documents: add them to "response", or omit "documents".';
    faults.push({ path: '/documents', code: 'no_documents', message });
  }
  return faults;
}

/** Invalid header characters; a secret is not printed. */
function headerFaults(value: string, secrets: Secrets, path: string): Fault[] {
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(fillSecrets(value, secrets))) return [];
  const message = 'This, or a secret in it, contains line breaks or other characters that a header cannot carry.';
  return [{ path, code: 'invalid_header', message }];
}

/** Headers of the connection. */
const reservedHeaders = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
