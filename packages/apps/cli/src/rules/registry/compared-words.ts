import type { HomesCompared } from '@leeward/registry';
import { count } from '../print-findings.ts';

/** Most shown of each count. */
const MAX_SHOWN = 8;

/** Number of homes that are answered differently, by cause. */
export function comparedInWords(
  { homes, changed, changed_since: since, not_judged: notEvaluated, ...by }: HomesCompared,
  thing: string,
  things = `${thing}s`,
): string {
  const answered = changed === 1 ? '1 is' : `${changed.toLocaleString('en-US')} are`;
  let text = `${count(homes, thing, things)}: ${answered} answered differently from the version in force.\n`;
  for (const [title, counts] of [
    ['by move', by.by_move],
    ['by code', by.by_code],
    ['by rule', by.by_rule],
    ['by state', by.by_state],
  ] as const) {
    const all = Object.entries(counts);
    if (all.length === 0) continue;
    const entries = all.slice(0, MAX_SHOWN).map(([key, number]) => `${key} ${number.toLocaleString('en-US')}`);
    if (all.length > MAX_SHOWN) entries.push(`and ${all.length - MAX_SHOWN} more`);
    text += `  ${title}: ${entries.join(', ')}\n`;
  }
  if (since > 0) {
    const are = since === 1 ? '1 is' : `${since.toLocaleString('en-US')} are`;
    text += `  ${are} answered differently from then in any case, because of rules or moratoria of that time.\n`;
  }
  for (const { why, homes: number, first } of notEvaluated) {
    text += `  ${count(number, thing, things)} could not be evaluated again, first ${first}: ${why}\n`;
  }
  return text;
}

export function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}
