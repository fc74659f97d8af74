import { basename } from 'node:path';

/** The names under which services and commands read a rule set in the folder of its carrier. */
const readName = /^rule-set(?:\..+)?\.json$/;
/** Names by which somebody means a rule set. */
const likeName = /^rule[-_ ]?sets?(?![a-z]).*\.json$/i;

/** True for `rule-set.json` and `rule-set.<version>.json`. */
export function isRuleSetName(name: string): boolean {
  return readName.test(name);
}

/** Says how to name a file that looks like a rule set and is read by no service; undefined for any other name. */
export function misnamedRuleSet(path: string): string | undefined {
  const name = basename(path);
  if (isRuleSetName(name) || !likeName.test(name)) return undefined;
  const version = name
    .replace(/\.json$/i, '')
    .replace(/^rule[-_ ]?sets?/i, '')
    .replace(/^[-_. ]+/, '');
  return `No service reads this file by its name; call it rule-set.${version === '' ? '' : `${version}.`}json.`;
}
