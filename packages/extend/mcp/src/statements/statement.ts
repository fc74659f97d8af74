import type { WireVerdict } from '@leeward/http';

/** The rules behind a statement, with the version of the carrier's file. */
export interface Citation {
  readonly carrier_key: string;
  /** Ids of rules; empty if no rule of the version applies here. */
  readonly rule_ids: readonly string[];
  readonly version: string;
  readonly sha256: string;
}

/** A sentence of the engine, or the message of a rule, with the rules behind it. */
export interface Statement {
  readonly kind: 'status' | 'reason' | 'requirement' | 'note' | 'term' | 'question' | 'test' | 'change';
  readonly text: string;
  readonly cites: readonly Citation[];
}

const HASH_DIGITS = 12;
const MAX_RULES_IN_LINE = 8;

/** `Bayou Mutual … [rule tx-roof of bayou_mutual 2025.3.1, sha256 2ed507357933]`: one line. */
export function writeStatement({ text, cites }: Statement): string {
  return `${oneLine(text)} [${cites.map(writeCitation).join('; ')}]`;
}

function writeCitation({ carrier_key, rule_ids, version, sha256 }: Citation): string {
  const more = rule_ids.length - MAX_RULES_IN_LINE;
  const named = rule_ids.slice(0, MAX_RULES_IN_LINE).join(', ') + (more > 0 ? ` and ${more} more` : '');
  const rules = rule_ids.length === 0 ? 'no rule' : `rule${rule_ids.length === 1 ? '' : 's'} ${named}`;
  return `${rules} of ${carrier_key} ${version}, sha256 ${sha256.slice(0, HASH_DIGITS)}`;
}

/** Text of carriers and of callers must not begin a new line. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

export function citing({ carrier_key, rule_set }: WireVerdict, rule_ids: readonly string[]): Citation[] {
  return [{ carrier_key, rule_ids: [...new Set(rule_ids)], version: rule_set.version, sha256: rule_set.sha256 }];
}
