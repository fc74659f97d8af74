import type { Operation, RouteGroup } from '../operation/operation.ts';
import type { RequestContext } from '../operation/request-context.ts';
import { notFound } from '../problem/problem.ts';

/** A file of the page, as it is sent. */
export interface WorkbenchFile {
  readonly contentType: string;
  readonly text: string;
}

/** The page for people: `await loadWorkbench()` of `@leeward/workbench` gives one. */
export interface Workbench {
  /** By name: `index.html`, `manifest.json`, and what those name; undefined where there is no such file. */
  file(name: string): Promise<WorkbenchFile | undefined>;
}

/** Of every file of the page: workers have the policy that came with their own file. */
export const workbenchPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

/** Names that hold a hash of what is in them never hold anything else. */
const isHashed = (name: string) => /-[A-Z0-9]{8}\.\w+$/.test(name);

/** `/` and `/workbench/…`: the page and its files. Files, not operations of the contract, so the document leaves them out. */
export function workbenchRoutes(workbench: Workbench): RouteGroup {
  const send = async (name: string) => {
    const file = await workbench.file(name);
    if (!file) throw notFound();
    const cache = isHashed(name) ? { 'cache-control': 'public, max-age=31536000, immutable' } : undefined;
    return { status: 200, ...file, headers: { 'content-security-policy': workbenchPolicy, ...cache } };
  };
  const shared = { method: 'get', tag: 'workbench', access: 'anyone', answers: {} } as const;
  const operations: Operation[] = [
    {
      ...shared,
      path: '/',
      operationId: 'workbench',
      summary: 'The page for people',
      handle: () => send('index.html'),
    },
    {
      ...shared,
      path: '/workbench/{file}',
      operationId: 'workbenchFile',
      summary: 'A file of the page',
      handle: ({ params }: RequestContext) => send(params['file'] ?? ''),
    },
  ];
  return { name: 'workbench', description: 'The page for people.', operations };
}
