import type { OperationText } from './operation.ts';

type Route = Pick<OperationText, 'method' | 'path'>;

/** `methods`: those of the path. */
export type Match<Operation> =
  | { readonly operation: Operation; readonly params: Readonly<Record<string, string>> }
  | { readonly operation: undefined; readonly methods: readonly string[] };

export interface RouteTable<Operation> {
  /** Paths without parameters take precedence. GET serves HEAD. `methods` are sorted, in upper case; empty for an unknown path. */
  find(method: string, path: string): Match<Operation>;
}

const noParams: Readonly<Record<string, string>> = Object.freeze({});

export function createRouteTable<Operation extends Route>(operations: readonly Operation[]): RouteTable<Operation> {
  const fixed = new Map<string, Operation[]>();
  const templates: { readonly parts: readonly string[]; readonly operation: Operation }[] = [];
  for (const operation of operations) {
    const { path } = operation;
    if (path.includes('{')) templates.push({ parts: path.split('/'), operation });
    else fixed.set(path, [...(fixed.get(path) ?? []), operation]);
  }
  // Earlier fixed segments first.
  templates.sort((a, b) => parameters(a.operation) - parameters(b.operation));

  return {
    find(method, path) {
      const methodName = method === 'HEAD' ? 'get' : method.toLowerCase();
      const escaped = path.includes('%');
      const here = fixed.get(escaped ? path.split('/').map(unescaped).join('/') : path);
      const direct = here?.find((operation) => operation.method === methodName);
      if (direct) return { operation: direct, params: noParams };
      const segments = path.split('/').map(unescaped);
      const methods = new Set(here?.map((operation) => operation.method.toUpperCase()));
      for (const { parts, operation } of templates) {
        const params = paramsOf(parts, segments);
        if (params === undefined) continue;
        if (operation.method === methodName) return { operation, params };
        methods.add(operation.method.toUpperCase());
      }
      if (methods.has('GET')) methods.add('HEAD');
      return { operation: undefined, methods: [...methods].sort() };
    },
  };
}

/** undefined if the path does not match. */
function paramsOf(parts: readonly string[], segments: readonly string[]): Readonly<Record<string, string>> | undefined {
  if (parts.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index]!;
    const text = segments[index]!;
    if (!part.startsWith('{')) {
      if (part !== text) return undefined;
    } else if (text === '') return undefined;
    else params[part.slice(1, -1)] = text;
  }
  return params;
}

function unescaped(part: string): string {
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function parameters({ path }: Route): number {
  return path.split('{').length - 1;
}
