import { type CarrierStatus, carrierStatus, statusOfCarrier, writeVerdict } from '../decide/carrier-verdict.ts';
import { type RuleReading, readRules } from '../decide/rule-reading.ts';
import type { RuleTable } from '../decide/rule-table.ts';
import type { Property } from '../request/property.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { type CarrierRules, toldFacts } from '../verdict/verdict-of.ts';

/** The answers of some carriers for one policy type: statuses found, nothing told yet. */
export interface JudgedCarriers {
  readonly count: number;
  /** By place among the answers: place of the carrier in the catalog. */
  carrierOf(index: number): number;
  statusOf(index: number): Verdict['status'];
  /** Puts an answer into words. */
  verdictOf(index: number): Verdict;
}

/** Judges a property by all carriers of some tables that offer something there and are asked. */
export function judgeByTables(
  tables: readonly RuleTable[],
  property: Property,
  versions: readonly (CarrierRules | undefined)[],
  isAsked: ((carrier: number) => boolean) | undefined,
): JudgedCarriers {
  const readings: RuleReading[] = [];
  const numbers: number[] = [];
  const statuses: CarrierStatus[] = [];
  for (const table of tables) {
    const reading = readRules(table, property);
    if (!reading) continue;
    for (const number of reading.state.carriers) {
      if (isAsked?.(table.carriers[number]!.carrier) === false) continue;
      readings.push(reading);
      numbers.push(number);
      statuses.push(carrierStatus(reading, number));
    }
  }
  const facts = toldFacts(property, tables[0]?.policyType ?? '');
  const carrierOf = (index: number) => readings[index]!.table.carriers[numbers[index]!]!.carrier;
  return {
    count: numbers.length,
    carrierOf,
    statusOf: (index) => statusOfCarrier(statuses[index]!),
    verdictOf: (index) =>
      writeVerdict(readings[index]!, numbers[index]!, statuses[index]!, versions[carrierOf(index)]!, facts),
  };
}

/** Answers by tables, and verdicts that were found another way: by carrier. */
export function withOthers(judged: JudgedCarriers, others: readonly (readonly [number, Verdict])[]): JudgedCarriers {
  if (others.length === 0) return judged;
  const first = judged.count;
  return {
    count: first + others.length,
    carrierOf: (index) => (index < first ? judged.carrierOf(index) : others[index - first]![0]),
    statusOf: (index) => (index < first ? judged.statusOf(index) : others[index - first]![1].status),
    verdictOf: (index) => (index < first ? judged.verdictOf(index) : others[index - first]![1]),
  };
}
