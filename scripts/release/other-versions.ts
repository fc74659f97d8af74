import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files with the version of a package without a package.json. The second group is the version. */
const places: Readonly<Record<string, RegExp>> = {
  'packages/extend/python/src/leeward/__init__.py': /^(__version__ = ")([^"]+)"/m,
  'packages/extend/java/pom.xml': /(<artifactId>leeward<\/artifactId>\s*<version>)([^<]+)/,
};

/** Reads the versions of the packages without a package.json, by file. */
export function readOtherVersions(root: string): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(
    Object.entries(places).map(([file, pattern]) => [file, pattern.exec(readFileSync(join(root, file), 'utf8'))?.[2]]),
  );
}

/** Writes a version into them. */
export function writeOtherVersions(root: string, version: string): void {
  for (const [file, pattern] of Object.entries(places)) {
    const text = readFileSync(join(root, file), 'utf8');
    writeFileSync(
      join(root, file),
      text.replace(pattern, (match, start: string, old: string) => match.replace(start + old, start + version)),
    );
  }
}
