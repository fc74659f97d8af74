import type { Catalog } from '@leeward/engine';
import type { WireDecision } from '@leeward/http';

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
      sentences.push(
        `${name} is not offered (no_version): none of its versions is for ${date}. There are: ${windowText}.`,
      );
    }
  }
  if (withoutProgram.length > 0) {
    const what = `${String(home['policy_type'] ?? 'any policy type')} in ${String(home['state']).toUpperCase()}`;
    const names = withoutProgram.slice(0, MAX_NAMED).join(', ');
    const others = withoutProgram.length > MAX_NAMED ? ` and ${withoutProgram.length - MAX_NAMED} more` : '';
    sentences.push(`Not offered (no_program), for no program of theirs writes ${what}: ${names}${others}.`);
  }
  return sentences;
}
