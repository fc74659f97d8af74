import { INELIGIBLE, settledStatus } from '../decide/carrier-status.ts';
import { writeVerdict } from '../decide/carrier-verdict.ts';
import { readRules } from '../decide/rule-reading.ts';
import type { RuleTable } from '../decide/rule-table.ts';
import type { Property } from '../request/property.ts';
import type { CarrierRules } from '../verdict/carrier-rules.ts';
import type { Reason } from '../verdict/verdict.ts';
import { quotedFacts } from '../verdict/verdict-of.ts';

/** Finds, for every carrier that certainly declines, the reasons. */
export function declinesByTables(
  tables: readonly RuleTable[],
  property: Property,
  versions: readonly (CarrierRules | undefined)[],
  visit: (carrier: number, reasons: readonly Reason[]) => void,
): void {
  const facts = quotedFacts(property, tables[0]?.policyType ?? '');
  for (const table of tables) {
    const reading = readRules(table, property);
    for (const number of reading?.state.carriers ?? []) {
      if (!reading || settledStatus(reading, number) !== INELIGIBLE) continue;
      const { carrier } = table.carriers[number]!;
      visit(carrier, writeVerdict(reading, number, INELIGIBLE, versions[carrier]!, facts).reasons);
    }
  }
}
