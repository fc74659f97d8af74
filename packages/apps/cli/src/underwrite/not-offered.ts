import type { Catalog } from '@leeward/engine';
import type { WireDecision } from '@leeward/http';
import { wordOf, writeWord } from '@leeward/terms';

const MAX_NAMED = 8;

/** Why carriers are not offered: no version for the date, or no program. */
export function describeNotOffered({ carriers }: Pick<Catalog, 'carriers'>, decision: WireDecision): readonly string[] {
  const { effective_date: date, home } = decision;
  const answered = new Set([...decision.carriers, ...decision.declined].map(({ carrier_key }) => carrier_key));
  const silent = carriers.filter(({ key }) => !answered.has(key));
  // Without a decision for a county of another state.
  if (decision.counts.not_offered === 0) return [];
  const sentences: string[] = [];
  const withoutProgram: string[] = [];
  for (const { name, versions } of silent) {
    const windows = versions.map(({ ruleSet: { version, effectiveFrom, effectiveUntil } }) => ({
      isInForce: effectiveFrom <= date && (effectiveUntil === undefined || date < effectiveUntil),
      words: `${version} from ${effectiveFrom}${effectiveUntil === undefined ? '' : ` until ${effectiveUntil}`}`,
    }));
    if (windows.some(({ isInForce }) => isInForce)) withoutProgram.push(name);
    else {
      const windowText = windows.map(({ words }) => words).join('; ');
      sentences.push(`${name}: ${wordOf('notOffered', 'no_version')}, ${date}. Its versions: ${windowText}.`);
    }
  }
  if (withoutProgram.length > 0) {
    const type = home['policy_type'];
    const what = `${type === undefined ? '' : `${writeWord(String(type))} `}program in ${String(home['state']).toUpperCase()}`;
    const names = withoutProgram.slice(0, MAX_NAMED).join(', ');
    const others = withoutProgram.length > MAX_NAMED ? ` and ${withoutProgram.length - MAX_NAMED} more` : '';
    sentences.push(`No ${what}: ${names}${others}.`);
  }
  return sentences;
}
