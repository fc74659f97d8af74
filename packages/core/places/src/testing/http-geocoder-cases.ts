import assert from 'node:assert/strict';
import type { Address } from '../address/address.ts';
import type { Geocode, Geocoder } from '../geocoder/geocoder.ts';
import { GeocoderUnavailableError, type UnavailableKind } from '../geocoder/geocoder-unavailable-error.ts';
import { type AnswerServer, type Responder, respondJson, respondText, startAnswerServer } from './answer-server.ts';
import { checkAnswer } from './check-answer.ts';
import type { ConformanceCase } from './conformance-case.ts';
import { geocoderCases } from './geocoder-cases.ts';

/** An adapter with documented answers of its server. */
export interface HttpGeocoderSubject {
  create(baseUrl: string): Geocoder;
  readonly match: { readonly address: Address; readonly body: unknown; readonly expected: Partial<Geocode> };
  /** Without a match. */
  readonly notFound: unknown;
  /** Two distant places that fit `match.address` equally well. */
  readonly ambiguous: unknown;
  /** A configured key that errors must not contain. @default none */
  readonly secret?: string | undefined;
}

/** Until a geocoder obeys its signal. */
const PATIENCE_MS = 2_000;

interface Fault {
  readonly name: string;
  readonly respond: Responder;
  readonly kinds: readonly UnavailableKind[];
  readonly retryAfterSeconds?: number;
}

/**
 * Returns test cases of an HTTP adapter: documented answers, and every fault of a server.
 * More than 100 lines, because it lists independent cases.
 * @example
 * for (const { name, run } of httpGeocoderCases(subject)) it(name, run);
 */
export function httpGeocoderCases(subject: HttpGeocoderSubject): readonly ConformanceCase[] {
  const { address, body, expected } = subject.match;
  const complete = JSON.stringify(body);
  const html = '<!doctype html><title>502 Bad Gateway</title>';

  const faults: readonly Fault[] = [
    { name: 'status 500', respond: respondText('{"error":"boom"}', 'application/json', 500), kinds: ['bad_status'] },
    { name: 'status 403', respond: respondText('Forbidden', 'text/plain', 403), kinds: ['bad_status'] },
    {
      name: 'status 429 with Retry-After',
      respond: respondText('Slow down', 'text/plain', 429, { 'retry-after': '7' }),
      kinds: ['bad_status'],
      retryAfterSeconds: 7,
    },
    { name: 'HTML with status 200', respond: respondText(html, 'text/html'), kinds: ['malformed_answer'] },
    { name: 'nothing', respond: respondText('', 'application/json'), kinds: ['malformed_answer'] },
    {
      name: 'half a document',
      respond: respondText(complete.slice(0, complete.length / 2), 'application/json'),
      kinds: ['malformed_answer'],
    },
    { name: 'null', respond: respondJson(null), kinds: ['malformed_answer'] },
    { name: 'another document', respond: respondJson({ message: 'Hello' }), kinds: ['malformed_answer'] },
    {
      name: 'invalid coordinates',
      respond: respondText(
        complete.replace(/-?\d+\.\d+/g, '"north"').replaceAll('""north""', '"north"'),
        'application/json',
      ),
      kinds: ['malformed_answer'],
    },
    {
      name: 'coordinates off the globe',
      respond: respondText(complete.replace(/-?\d+\.\d+/g, '999.5'), 'application/json'),
      kinds: ['malformed_answer'],
    },
    {
      name: 'an endless document',
      respond: (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(`[${'"x",'.repeat(600_000)}"x"]`);
      },
      kinds: ['answer_too_large'],
    },
    {
      name: 'an endless redirect',
      respond: (request, response) => response.writeHead(302, { location: request.url ?? '/' }).end(),
      kinds: ['redirected'],
    },
    { name: 'a broken connection', respond: (request) => request.socket.destroy(), kinds: ['unreachable'] },
    {
      name: 'a connection that breaks during the answer',
      respond: (request, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100000' });
        response.write(complete.slice(0, 10), () => request.socket.destroy());
      },
      kinds: ['unreachable', 'malformed_answer'],
    },
  ];

  const against = async (respond: Responder, use: (geocoder: Geocoder, server: AnswerServer) => Promise<void>) => {
    const server = await startAnswerServer(respond);
    try {
      await use(subject.create(server.baseUrl), server);
    } finally {
      await server.close();
    }
  };

  const checkFault = async (
    geocoder: Geocoder,
    { kinds, retryAfterSeconds }: Pick<Fault, 'kinds' | 'retryAfterSeconds'>,
  ) => {
    await assert.rejects(geocoder.geocode(address), (error) => {
      assert.ok(error instanceof GeocoderUnavailableError, `Not a GeocoderUnavailableError: ${String(error)}`);
      assert.ok(kinds.includes(error.kind), `Kind ${error.kind} instead of ${kinds.join(' or ')}: ${error.message}`);
      assert.equal(error.geocoder, geocoder.name);
      if (retryAfterSeconds !== undefined) assert.equal(error.retryAfterSeconds, retryAfterSeconds);
      if (subject.secret !== undefined)
        assert.ok(!error.message.includes(subject.secret), 'The message contains the key.');
      return true;
    });
  };

  return [
    ...geocoderCases({
      async create() {
        const server = await startAnswerServer(respondJson(null));
        await server.close();
        return subject.create(server.baseUrl);
      },
    }),
    {
      name: 'reads the documented answer, with one GET',
      run: () =>
        against(respondJson(body), async (geocoder, server) => {
          const answer = await geocoder.geocode(address);
          checkAnswer(geocoder, answer);
          assert.equal(answer.status, 'found');
          const { geocode } = answer;
          const picked = Object.fromEntries(Object.keys(expected).map((key) => [key, geocode[key as keyof Geocode]]));
          assert.deepEqual(picked, { ...expected });
          assert.equal(server.requests.length, 1);
          assert.match(server.requests[0]!, /^GET /);
        }),
    },
    {
      name: 'reads the documented answer for an unknown address',
      run: () =>
        against(respondJson(subject.notFound), async (geocoder) => {
          const answer = await geocoder.geocode(address);
          checkAnswer(geocoder, answer);
          assert.equal(answer.status, 'not_found');
        }),
    },
    {
      name: 'does not choose between two places',
      run: () =>
        against(respondJson(subject.ambiguous), async (geocoder) => {
          const answer = await geocoder.geocode(address);
          checkAnswer(geocoder, answer);
          assert.equal(answer.status, 'ambiguous');
        }),
    },
    ...faults.map((fault) => ({
      name: `is unavailable when the server answers with ${fault.name}`,
      run: () => against(fault.respond, (geocoder) => checkFault(geocoder, fault)),
    })),
    {
      name: 'is unavailable when the port is closed',
      async run() {
        const server = await startAnswerServer(respondJson(body));
        await server.close();
        await checkFault(subject.create(server.baseUrl), { kinds: ['unreachable'] });
      },
    },
    {
      name: 'refuses a redirect to another host, and sends nothing there',
      async run() {
        const elsewhere = await startAnswerServer(respondJson(body));
        try {
          const respond: Responder = (_, response) =>
            response.writeHead(307, { location: `${elsewhere.baseUrl}/` }).end();
          await against(respond, (geocoder) => checkFault(geocoder, { kinds: ['redirected'] }));
          assert.deepEqual(elsewhere.requests, []);
        } finally {
          await elsewhere.close();
        }
      },
    },
    {
      name: 'follows a redirect on the same host',
      run: () => {
        const respond: Responder = (request, response) => {
          if (request.url?.startsWith('/moved') === true) return respondJson(body)(request, response);
          response.writeHead(301, { location: `/moved${request.url}` }).end();
        };
        return against(respond, async (geocoder) => assert.equal((await geocoder.geocode(address)).status, 'found'));
      },
    },
    ...(['before the headers', 'during the answer'] as const).map((moment) => ({
      name: `rejects when its signal is aborted while the server hangs ${moment}`,
      run: () => {
        const controller = new AbortController();
        const reason = new Error('The caller is gone.');
        const respond: Responder = (_, response) => {
          if (moment === 'during the answer') {
            response.writeHead(200, { 'content-type': 'application/json' });
            response.write(complete.slice(0, 10));
          }
          setTimeout(() => controller.abort(reason), 20);
        };
        return against(respond, async (geocoder) => {
          const ended = geocoder.geocode(address, { signal: controller.signal }).then(
            () => assert.fail('It answered.'),
            (error: unknown) => assert.equal(error, reason),
          );
          await Promise.race([ended, failAfter(PATIENCE_MS)]);
        });
      },
    })),
  ];
}

function failAfter(durationMs: number): Promise<never> {
  return new Promise((_, reject) => {
    const fail = () => reject(new assert.AssertionError({ message: `It ignored its signal for ${durationMs} ms.` }));
    setTimeout(fail, durationMs).unref();
  });
}
