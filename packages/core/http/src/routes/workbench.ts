import { answerStatic, type StaticContent } from '../answer/static-content.ts';
import type { Operation, RouteGroup } from '../operation/operation.ts';
import type { RequestContext } from '../operation/request-context.ts';
import { notFound } from '../problem/problem.ts';

/** A file of the page, in the encodings in which it can be sent. */
export type WorkbenchFile = StaticContent;

/** The page for people: `await loadWorkbench()` of `@leeward/workbench` gives one. */
export interface Workbench {
  /** By name: `index.html`, `manifest.json`, and what those name; undefined where there is no such file. */
  file(name: string): Promise<WorkbenchFile | undefined>;
}

/**
 * Of every file of the page: workers have the policy that came with their own file. The page makes one policy of Trusted Types,
 * for the addresses of its workers; no other can be made.
 */
export const workbenchPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types leeward-workers";

/** Names that hold a hash of what is in them never hold anything else. */
const isHashed = (name: string) => /-[A-Z0-9]{8}\.\w+$/.test(name);

/** `/` and `/workbench/…`: the page and its files. Files, not operations of the contract, so the document leaves them out. */
export function workbenchRoutes(workbench: Workbench): RouteGroup {
  const send = async (name: string, context: RequestContext) => {
    const file = await workbench.file(name);
    if (!file) throw notFound();
    const cache = isHashed(name) ? { 'cache-control': 'public, max-age=31536000, immutable' } : undefined;
    return answerStatic(file, context, { 'content-security-policy': workbenchPolicy, ...cache });
  };
  const shared = { method: 'get', tag: 'workbench', access: 'anyone', answers: {} } as const;
  const operations: Operation[] = [
    {
      ...shared,
      path: '/',
      operationId: 'workbench',
      summary: 'The page for people',
      handle: (context: RequestContext) => send('index.html', context),
    },
    {
      ...shared,
      path: '/workbench/{file}',
      operationId: 'workbenchFile',
      summary: 'A file of the page',
      handle: (context: RequestContext) => send(context.params['file'] ?? '', context),
    },
  ];
  return { name: 'workbench', description: 'The page for people.', operations };
}
