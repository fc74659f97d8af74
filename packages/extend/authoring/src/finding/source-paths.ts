import { pointer } from '@leeward/terms';

/** JSON Pointers of all objects in a file. */
export function sourcePaths(file: unknown): ReadonlyMap<object, string> {
  const paths = new Map<object, string>();
  const open: { value: unknown; path: string }[] = [{ value: file, path: '' }];
  for (let at = open.pop(); at; at = open.pop()) {
    const { value, path } = at;
    if (typeof value !== 'object' || value === null || paths.has(value)) continue;
    paths.set(value, path);
    for (const [key, child] of Object.entries(value)) open.push({ value: child, path: `${path}${pointer(key)}` });
  }
  return paths;
}
