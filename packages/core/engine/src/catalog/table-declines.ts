import { hasCertainDecline } from '../decide/carrier-truths.ts';
import { carrierStatus, statusOfCarrier, writeVerdict } from '../decide/carrier-verdict.ts';
import { readRules } from '../decide/rule-reading.ts';
import type { RuleTable } from '../decide/rule-table.ts';
import type { Property } from '../request/property.ts';
import type { CarrierRules } from '../verdict/carrier-rules.ts';
import type { Reason } from '../verdict/verdict.ts';
import { quotedFacts } from '../verdict/verdict-of.ts';

/** Finds, for every carrier that certainly declines, the reasons, and whether they decline only together. */
export function declinesByTables(
  tables: readonly RuleTable[],
  property: Property,
  versions: readonly (CarrierRules | undefined)[],
  visit: (carrier: number, reasons: readonly Reason[], isJoint: boolean) => void,
): void {
  const facts = quotedFacts(property, tables[0]?.policyType ?? '');
  for (const table of tables) {
    const reading = readRules(table, property);
    for (const number of reading?.state.carriers ?? []) {
      if (!reading) continue;
      const status = carrierStatus(reading, number);
      if (statusOfCarrier(status) !== 'ineligible') continue;
      const { carrier } = table.carriers[number]!;
      const { reasons } = writeVerdict(reading, number, status, versions[carrier]!, facts);
      visit(carrier, reasons, !hasCertainDecline(reading, number));
    }
  }
}
