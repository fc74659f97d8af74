import type { OperationText } from './operation/operation.ts';

/** Which methods a path has: for answering 405 where a router would say 404. */
export interface RouteTable {
  /** Methods of a path in upper case, sorted; empty where there is no such path. */
  methodsAt(path: string): readonly string[];
}

export function createRouteTable(operations: readonly Pick<OperationText, 'method' | 'path'>[]): RouteTable {
  const routes = operations.map(({ method, path }) => ({ pattern: patternOf(path), method: method.toUpperCase() }));
  return {
    methodsAt(path) {
      const methods = new Set(routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method));
      if (methods.has('GET')) methods.add('HEAD');
      return [...methods].sort();
    },
  };
}

function patternOf(template: string): RegExp {
  const source = template
    .split('/')
    .map((part) => (/^\{.+\}$/.test(part) ? '[^/]+' : part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')))
    .join('/');
  return new RegExp(`^${source}$`);
}
