import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolders } from '../package-folders.ts';

export interface WayIntoPackage {
  /** As an importer writes it: `@leeward/http/node`. */
  readonly specifier: string;
  /** Absolute path of its TypeScript. */
  readonly source: string;
  /** Absolute path of the package. */
  readonly folder: string;
  /** A name for its page: `http-node`. */
  readonly page: string;
}

/** Every module that packages export, except the programs of threads. */
export function waysIntoPackages(root: string): WayIntoPackage[] {
  return packageFolders(root).flatMap(({ name: folderName, path }) => {
    const folder = join(root, path);
    const { name, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      name: string;
      exports: Record<string, string | { '@leeward/source'?: string }>;
    };
    return Object.entries(exports).flatMap(([key, target]) => {
      const source = typeof target === 'string' ? undefined : target['@leeward/source'];
      if (source === undefined || key.endsWith('-worker')) return [];
      const inner = key === '.' ? '' : key.slice(1);
      return [
        {
          specifier: `${name}${inner}`,
          source: join(folder, source),
          folder,
          page: `${folderName}${inner.replaceAll('/', '-')}`,
        },
      ];
    });
  });
}
