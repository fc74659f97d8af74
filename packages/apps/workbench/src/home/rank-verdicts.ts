import { writeWord } from '@leeward/terms/words';
import { shownStatuses, statusWords } from '../design/policy-statuses.ts';
import type { WireDecision, WireVerdict } from '../service/wire.ts';
import { describeChange, type Way } from './describe-change.ts';

export type ShownOrder = 'best' | 'carrier';

/** Verdicts that have a status of the filter and all words of the text; an empty filter has all statuses. */
export function filterVerdicts(
  verdicts: readonly WireVerdict[],
  statuses: ReadonlySet<string>,
  text: string,
): readonly WireVerdict[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return verdicts.filter((verdict) => {
    if (statuses.size > 0 && !statuses.has(verdict.status)) return false;
    if (words.length === 0) return true;
    const { carrier, policy_type, status, reasons, tier } = verdict;
    const messages = reasons.map(({ message }) => message);
    const all = [carrier, policy_type, statusWords[status].word, tier?.name ?? '', ...messages].join(' ').toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

const names = new Intl.Collator('en-US');

/** `best`: by status, then fewest missing answers, then name. `carrier`: by name. */
export function sortVerdicts(verdicts: readonly WireVerdict[], order: ShownOrder): readonly WireVerdict[] {
  const rank = ({ status, missing_fields: missing }: WireVerdict) =>
    shownStatuses.indexOf(status) * 1_000 + Math.min(999, missing.length);
  return verdicts.toSorted(
    (a, b) =>
      (order === 'best' ? rank(a) - rank(b) : 0) ||
      names.compare(a.carrier, b.carrier) ||
      names.compare(a.policy_type, b.policy_type),
  );
}

const MAX_MISSING = 3;

/** The answer in one line: the first reason, the missing answers, or what is required. */
export function summarize(verdict: WireVerdict, labelOf: (field: string) => string): string {
  const { status, reasons, requirements, missing_fields: missing } = verdict;
  if (status === 'needs_information') {
    const labels = missing.slice(0, MAX_MISSING).map(labelOf).join(', ');
    return `Waiting for: ${labels}${missing.length > MAX_MISSING ? ` and ${missing.length - MAX_MISSING} more` : ''}`;
  }
  const [first, ...others] = status === 'eligible' ? requirements : reasons;
  if (first === undefined) return status === 'eligible' ? 'No requirements' : '';
  return `${first.message}${others.length > 0 ? ` And ${others.length} more.` : ''}`;
}

const outcomes: Readonly<Record<Way['becomes'], string>> = {
  eligible: 'Eligible',
  referral: 'Referral',
  needs_information: 'Could be eligible',
  ineligible: 'Ineligible',
};

/** Describes the first way to a better answer in one line; undefined if there is none. */
export function describePath(
  { status, possible_statuses: possible }: Pick<WireVerdict, 'status' | 'possible_statuses'>,
  change: WireVerdict['would_change'],
): string | undefined {
  if (status === 'eligible') return undefined;
  if (status === 'needs_information') return possible.includes('eligible') ? undefined : 'At best a referral';
  if (change === undefined || change.outcome === 'none_needed') return undefined;
  const way = bestWay(change.ways);
  if (way) return `${outcomes[way.becomes]} with ${way.changes.map((each) => describeChange(each)).join(' and ')}`;
  return change.outcome === 'none_helps' ? 'No change to this home would make it eligible' : undefined;
}

/** Ways come shortest first. */
const bestWay = (ways: readonly Way[]): Way | undefined =>
  ways.find(({ becomes }) => becomes === 'eligible') ?? ways[0];

/** Carriers that are not offered for one reason. */
export interface NotOfferedGroup {
  readonly reason: string;
  readonly carriers: readonly string[];
}

/** Carriers that are not offered, by reason; carriers without any policy type come first, in one group. */
export function groupNotOffered(
  { not_offered: entries = [], effective_date: date, carriers, declined, home }: WireDecision,
  stateName: string,
  noun: string,
): readonly NotOfferedGroup[] {
  const answered = new Set([...carriers, ...declined].map(({ carrier_key }) => carrier_key));
  const types = new Set(entries.map(({ policy_type }) => policy_type));
  const byCarrier = Map.groupBy(entries, ({ carrier_key }) => carrier_key);
  const isWhole = home['policy_type'] === undefined && types.size > 1;
  const groups = Map.groupBy(entries, ({ carrier_key, code, policy_type }) => {
    const same = byCarrier.get(carrier_key)!;
    const isNever = isWhole && !answered.has(carrier_key) && same.every((each) => each.code === code);
    return reasonOf(code, isNever ? noun : writeWord(policy_type), stateName, date);
  });
  return [...groups]
    .map(([reason, same]) => ({ reason, carriers: [...new Set(same.map(({ carrier }) => carrier))].sort() }))
    .sort((a, b) => b.carriers.length - a.carriers.length);
}

type NotOffered = NonNullable<WireDecision['not_offered']>[number];

function reasonOf(code: NotOffered['code'], what: string, place: string, date: string): string {
  switch (code) {
    case 'no_version':
      return `No rule set in force on ${date}`;
    case 'not_appointed':
      return `Not appointed for ${what} in ${place}`;
    default:
      return `No ${what} program in ${place}`;
  }
}
