import { answerStatic, type StaticContent } from '../answer/static-content.ts';
import type { Operation, RouteGroup } from '../operation/operation.ts';
import type { RequestContext } from '../operation/request-context.ts';
import { notFound } from '../problem/problem.ts';
import { proposalStyleSource } from '../quoting/proposal-page.ts';

/** A file of the page with its encodings. */
export type WorkbenchFile = StaticContent;

/** The page for people, from `loadWorkbench()` of `@leeward/workbench`. */
export interface Workbench {
  /** A file by name, such as `index.html`; undefined if there is no such file. */
  file(name: string): Promise<WorkbenchFile | undefined>;
}

/**
 * Sent with every file, because a worker has the policy of its file. The page may create one Trusted Types policy, for the URLs of its
 * workers. It opens proposals, which have its policy and their own style. `wasm-unsafe-eval` lets its worker compile the WebAssembly that evaluates books; text still cannot become JavaScript.
 */
export const workbenchPolicy = `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' ${proposalStyleSource}; img-src 'self' data:; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types leeward-workers`;

/** A file with a hash in its name never changes. */
const isHashed = (name: string) => /-[A-Z0-9]{8}\.\w+$/.test(name);

/** `/` and `/workbench/…`: the page and its files. They are not operations, so the document omits them. */
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
      summary: 'Read the workbench page',
      handle: (context: RequestContext) => send('index.html', context),
    },
    {
      ...shared,
      path: '/workbench/{file}',
      operationId: 'workbenchFile',
      summary: 'Read a file of the workbench',
      handle: (context: RequestContext) => send(context.params['file'] ?? '', context),
    },
  ];
  return { name: 'workbench', description: 'The page for people.', operations };
}
