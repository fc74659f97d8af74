import { readFileSync, realpathSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';

/** Reads the files that the areas of a rule set name, in the folder of the rule-set file and below. */
export function areaReader(ruleSetPath: string): (path: string) => string | undefined {
  const folder = dirname(ruleSetPath);
  return (path) => {
    try {
      const file = realpathSync(resolve(folder, path));
      // A link may lead out of the folder.
      return file.startsWith(`${realpathSync(folder)}${sep}`) ? readFileSync(file, 'utf8') : undefined;
    } catch {
      return undefined;
    }
  };
}
