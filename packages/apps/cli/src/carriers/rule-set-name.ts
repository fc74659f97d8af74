import { basename } from 'node:path';

/** Names of rule-set files that services and commands read. */
const readName = /^rule-set(?:\..+)?\.json$/;
const ratingPlanName = /^rating-plan(?:\..+)?\.json$/;
/** Names that look like a rule set. */
const likeName = /^rule[-_ ]?sets?(?![a-z]).*\.json$/i;

/** True for `rule-set.json` and `rule-set.<version>.json`. */
export function isRuleSetName(name: string): boolean {
  return readName.test(name);
}

/** True for `rating-plan.json` and `rating-plan.<version>.json`, which look like rule sets inside. */
export function isRatingPlanName(name: string): boolean {
  return ratingPlanName.test(name);
}

/** Advice for a name that looks like a rule set but is not read; otherwise undefined. */
export function misnamedRuleSet(path: string): string | undefined {
  const name = basename(path);
  if (isRuleSetName(name) || !likeName.test(name)) return undefined;
  const version = name
    .replace(/\.json$/i, '')
    .replace(/^rule[-_ ]?sets?/i, '')
    .replace(/^[-_. ]+/, '');
  return `No service reads this file by its name; call it rule-set.${version === '' ? '' : `${version}.`}json.`;
}
