import type { Turn } from '@leeward/engine/compiled';
import { isUnwritable, UnreadableFieldsError } from '@leeward/quotes';
import { z } from 'zod';
import { answerStatic, createStaticContent, type StaticContent } from '../answer/static-content.ts';
import { docsPage } from '../docs-page/docs-page.ts';
import { asExample, createContentText } from '../document/content-text.ts';
import type { OpenApiDocument } from '../document/open-api-document.ts';
import type { Operation, RouteGroup } from '../operation/operation.ts';
import { Problem } from '../problem/problem.ts';

/** Checks by name. Each resolves if its part is usable, and rejects if it is not. */
export type Readiness = Readonly<Record<string, () => unknown>>;

/** A risk that an operator should know. */
export interface ReadinessWarning {
  readonly code: string;
  readonly message: string;
}

/** Fixed warnings, or a function that reads them. If it fails, there are no warnings. */
export type ReadinessWarnings = readonly ReadinessWarning[] | (() => Promise<readonly ReadinessWarning[]>);

export interface OperationalPorts {
  readonly readiness: Readiness;
  readonly warnings?: ReadinessWarnings;
  /** @param turn yields while the document is written */
  document(turn: Turn): Promise<OpenApiDocument>;
  /** Maximum time of one check, in ms. @default 2_000 */
  readonly checkTimeoutMs?: number;
}

const MAX_CHECK_MS = 2_000;

const healthSchema = z.object({ status: z.literal('ok') }).meta({ id: 'Health' });
const readinessSchema = z
  .object({
    status: z.literal('ready'),
    checks: z.record(z.string(), z.literal('ok')),
    warnings: z
      .array(z.object({ code: z.string(), message: z.string() }))
      .optional()
      .meta({ description: 'Risks that an operator should know.' }),
  })
  .meta({ id: 'Readiness' });

const openApiSchema = {
  type: 'object',
  properties: { openapi: { type: 'string' }, info: { type: 'object' }, paths: { type: 'object' } },
  required: ['openapi', 'info', 'paths'],
};

const documentExample = asExample('Its beginning', {
  openapi: '3.1.0',
  info: { title: 'Leeward', version: '1.0.0' },
  paths: {},
});

/** Health, readiness and the document, for operators, load balancers and readers. */
export function operationalRoutes(ports: OperationalPorts): RouteGroup {
  return {
    name: tag,
    description: 'Health, readiness, metrics and this document.',
    operations: [...healthOperations(ports), ...documentOperations(ports)],
  };
}

const tag = 'operation';

function healthOperations(ports: OperationalPorts): Operation[] {
  let checking: ReturnType<typeof checkOnce> | undefined;
  return [
    {
      method: 'get',
      path: '/healthz',
      operationId: 'health',
      tag,
      access: 'anyone',
      isUnlimited: true,
      summary: 'Check that the process is up',
      description: 'Checks no other part: a process that answers is up.',
      answers: {
        200: {
          description: 'The process is up.',
          content: createContentText('Health', healthSchema, 'output', { examples: asExample('Up', { status: 'ok' }) }),
        },
      },
      handle: () => ({ status: 200, body: { status: 'ok' } }),
    },
    {
      method: 'get',
      path: '/readyz',
      operationId: 'readiness',
      tag,
      access: 'anyone',
      isUnlimited: true,
      summary: 'Check that stores and queues are usable',
      description:
        'Checks each part that the service depends on, each within two seconds. 503 names the parts that are unavailable, or `unwritable` because a disk is full. `warnings` name risks, such as personal data stored without a key.',
      answers: {
        200: {
          description: 'All are usable.',
          content: createContentText('Readiness', readinessSchema, 'output', {
            examples: asExample('Ready', { status: 'ready', checks: { database: 'ok', quotes: 'ok' } }),
          }),
        },
      },
      problems: ['unavailable'],
      handle: async () => {
        // Concurrent requests share one check.
        checking ??= checkOnce(ports).finally(() => {
          checking = undefined;
        });
        const { checks, warnings } = await checking;
        return { status: 200, body: { status: 'ready', checks, ...(warnings.length > 0 && { warnings }) } };
      },
    },
  ];
}

function documentOperations(ports: OperationalPorts): Operation[] {
  // Made by the first request.
  let document: StaticContent | undefined;
  let page: { readonly content: StaticContent; readonly contentSecurityPolicy: string } | undefined;
  const notModified = { 304: { description: '`If-None-Match` names the version that the client has.' } };
  return [
    {
      method: 'get',
      path: '/openapi.json',
      operationId: 'document',
      tag,
      access: 'anyone',
      summary: 'Read this document',
      description:
        'OpenAPI 3.1, generated from the schemas that validate requests. It lists only the operations that this service mounts.',
      answers: {
        200: {
          description: 'OpenAPI 3.1.',
          content: { name: 'OpenApiDocument', schema: openApiSchema, examples: documentExample },
        },
        ...notModified,
      },
      handle: async (context) => {
        document ??= await createStaticContent(JSON.stringify(await ports.document(context.turn)), 'application/json');
        return answerStatic(document, context);
      },
    },
    {
      method: 'get',
      path: '/docs',
      operationId: 'docs',
      tag,
      access: 'anyone',
      summary: 'Read this document as a page',
      description: 'One HTML file without scripts that loads nothing from elsewhere.',
      answers: {
        200: {
          description: 'A page that describes every operation.',
          content: 'text/html',
          examples: asExample('Its beginning', '<!doctype html>'),
        },
        ...notModified,
      },
      handle: async (context) => {
        if (page === undefined) {
          const { html, contentSecurityPolicy } = await docsPage(await ports.document(context.turn), context.turn);
          page ??= { content: await createStaticContent(html, 'text/html; charset=utf-8'), contentSecurityPolicy };
        }
        return answerStatic(page.content, context, { 'content-security-policy': page.contentSecurityPolicy });
      },
    },
  ];
}

async function checkOnce(ports: OperationalPorts) {
  return { checks: await checkAll(ports), warnings: await readWarnings(ports) };
}

async function readWarnings({ warnings = [], checkTimeoutMs = MAX_CHECK_MS }: OperationalPorts) {
  if (typeof warnings !== 'function') return warnings;
  let current: readonly ReadinessWarning[] = [];
  await withinTime(
    'warnings',
    async () => {
      current = await warnings();
    },
    checkTimeoutMs,
  ).catch(() => {});
  return current;
}

/** Runs all checks concurrently. @throws {Problem} `unavailable` that names the failed parts, without the reason */
async function checkAll({ readiness, checkTimeoutMs = MAX_CHECK_MS }: OperationalPorts): Promise<Record<string, 'ok'>> {
  const failures: unknown[] = [];
  const checks: Record<string, 'ok' | 'unavailable' | 'unwritable' | 'unreadable'> = {};
  await Promise.all(
    Object.entries(readiness).map(async ([name, check]) => {
      try {
        await withinTime(name, check, checkTimeoutMs);
        checks[name] = 'ok';
      } catch (error) {
        failures.push(error);
        const isUnreadable = error instanceof UnreadableFieldsError;
        checks[name] = isUnreadable ? 'unreadable' : isUnwritable(error) ? 'unwritable' : 'unavailable';
      }
    }),
  );
  if (failures.length === 0) return checks as Record<string, 'ok'>;
  const missing = Object.keys(readiness).filter((name) => checks[name] !== 'ok');
  const unwritable = missing.filter((name) => checks[name] === 'unwritable');
  const away = missing.filter((name) => checks[name] === 'unavailable');
  const sentences = [
    ...(away.length > 0 ? [`Unavailable: ${away.join(', ')}.`] : []),
    ...(unwritable.length > 0 ? [`Not writable (is the disk full?): ${unwritable.join(', ')}.`] : []),
    ...failures.flatMap((error) => (error instanceof UnreadableFieldsError ? [error.message] : [])),
  ];
  throw new Problem('unavailable', sentences.join(' '), {
    headers: { 'retry-after': '5' },
    members: { checks },
    cause: new AggregateError(failures, `not ready: ${missing.join(', ')}`),
  });
}

async function withinTime(name: string, check: () => unknown, timeoutMs: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${name} did not answer within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    await Promise.race([(async () => check())(), late]);
  } finally {
    clearTimeout(timer);
  }
}
