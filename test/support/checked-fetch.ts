import { type Answered, type Contract, createContractCheck, describeFaults } from './contract-check.ts';

/**
 * Replaces `fetch`: checks each Leeward answer in tests against the document that this Leeward serves. A mismatch
 * rejects and fails the test. Answers of other servers pass unchecked.
 */
const fetchAsItIs = globalThis.fetch;
const decoder = new TextDecoder();
const checks = new Map<string, ReturnType<typeof checkAt>>();

globalThis.fetch = async (input, init) => {
  const response = await fetchAsItIs(input, init);
  if (!isLeeward(response)) return response;
  const { origin, pathname } = new URL(response.url);
  // The document does not list the page's files.
  if (response.ok && /^\/(workbench\/.*)?$/.test(pathname)) return response;
  const method = (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase();
  const { status, headers } = response;
  // A stream has no end to wait for.
  if (headers.get('content-type') === 'text/event-stream') {
    await hold(origin, { method, path: pathname, status, headers, text: method === 'HEAD' ? '' : ':' });
    return response;
  }
  // Read once and pass on: teeing the stream costs as much as the request.
  const bytes = await response.arrayBuffer();
  await hold(origin, { method, path: pathname, status, headers, text: decoder.decode(bytes) });
  return answerOf(response, bytes);
};

/** Rejects where the answer is outside the document. */
async function hold(origin: string, answered: Answered): Promise<void> {
  const faults = faultsBy(await checkOf(origin, answered.path), answered);
  if (faults.length === 0) return;
  // Another server may have used this address before: load the document of the current one.
  checks.delete(origin);
  const found = await checkOf(origin, answered.path);
  const faultsNow = found ? faultsBy(found, answered) : faults;
  if (faultsNow.length > 0) throw new Error(describeFaults(answered, faultsNow));
}

/** Builds the same answer with an unread body. */
function answerOf({ status, statusText, headers, url }: Response, bytes: ArrayBuffer): Response {
  const again = new Response(bytes.byteLength === 0 ? null : bytes, { status, statusText, headers });
  return Object.defineProperty(again, 'url', { value: url });
}

/** None where there is no document to hold the answer against. */
function faultsBy(found: Awaited<ReturnType<typeof checkAt>>, answered: Answered): readonly string[] {
  return found?.check.faultsOf({ ...answered, path: answered.path.slice(found.prefix.length) }) ?? [];
}

/** No other server of a test has all of these. */
function isLeeward({ headers, redirected }: Response): boolean {
  return (
    !redirected &&
    headers.has('x-request-id') &&
    headers.get('cross-origin-resource-policy') === 'same-origin' &&
    headers.get('referrer-policy') === 'no-referrer'
  );
}

function checkOf(origin: string, path: string): ReturnType<typeof checkAt> {
  const first = `/${path.split('/')[1]}`;
  const known = checks.get(origin);
  if (known) return known;
  const found = checkAt(origin, '').then((check) => check ?? checkAt(origin, first));
  checks.set(origin, found);
  // A server that could not be reached may come back under the same address.
  void found.then((check) => check ?? checks.delete(origin));
  return found;
}

/** The document where a host mounted the service; undefined where there is none, or the server is gone by now. */
async function checkAt(origin: string, prefix: string) {
  for (let tries = 0; tries < 5; tries++) {
    const response = await fetchAsItIs(`${origin}${prefix}/openapi.json`).catch(() => undefined);
    if (response === undefined || response.status === 404) return undefined;
    if (response.status === 200) return { prefix, check: createContractCheck((await response.json()) as Contract) };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return undefined;
}
