import { hasCertainDecline } from '../decide/carrier-truths.ts';
import {
  type CarrierStatus,
  carrierStatus,
  carrierStatusAtOnce,
  carrierStatusForWords,
  statusOfCarrier,
  writeVerdict,
} from '../decide/carrier-verdict.ts';
import { type RuleReading, readRules } from '../decide/rule-reading.ts';
import type { RuleTable } from '../decide/rule-table.ts';
import type { Property } from '../request/property.ts';
import { pauseOf, type Turn } from '../turns/turn.ts';
import type { CarrierRules } from '../verdict/carrier-rules.ts';
import type { Reason, Verdict } from '../verdict/verdict.ts';
import { quotedFacts } from '../verdict/verdict-of.ts';

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
  isAsked: IsAsked,
): JudgedCarriers {
  const asked = askedCarriers(tables, property, isAsked);
  return judgedCarriers(
    asked,
    asked.map(({ reading, number }) => carrierStatus(reading, number)),
    property,
    versions,
  );
}

/** Carriers evaluated without a search between two looks at the clock: each takes about a microsecond. */
const CARRIERS_A_SLICE = 16;

/** Like `judgeByTables`, but yields after every few carriers and every search. */
export async function judgeInTurns(
  tables: readonly RuleTable[],
  property: Property,
  versions: readonly (CarrierRules | undefined)[],
  isAsked: IsAsked,
  turn: Turn,
): Promise<JudgedCarriers> {
  const asked = askedCarriers(tables, property, isAsked);
  const statuses: CarrierStatus[] = [];
  for (const { reading, number } of asked) {
    const quick = carrierStatusAtOnce(reading, number);
    statuses.push(quick ?? carrierStatusForWords(reading, number));
    if (quick !== undefined && statuses.length % CARRIERS_A_SLICE !== 0) continue;
    const pause = pauseOf(turn);
    if (pause) await pause;
  }
  return judgedCarriers(asked, statuses, property, versions);
}

type IsAsked = ((carrier: number) => boolean) | undefined;

/** A carrier of a table that is asked, by its number there. A class for the same reason as `WrittenVerdict`. */
class AskedCarrier {
  readonly reading: RuleReading;
  readonly number: number;

  constructor(reading: RuleReading, number: number) {
    this.reading = reading;
    this.number = number;
  }
}

function askedCarriers(tables: readonly RuleTable[], property: Property, isAsked: IsAsked): AskedCarrier[] {
  const asked: AskedCarrier[] = [];
  for (const table of tables) {
    const reading = readRules(table, property);
    if (!reading) continue;
    for (const number of reading.state.carriers) {
      if (isAsked?.(table.carriers[number]!.carrier) !== false) asked.push(new AskedCarrier(reading, number));
    }
  }
  return asked;
}

function judgedCarriers(
  asked: readonly AskedCarrier[],
  statuses: readonly CarrierStatus[],
  property: Property,
  versions: readonly (CarrierRules | undefined)[],
): JudgedCarriers {
  const facts = quotedFacts(property, asked[0]?.reading.table.policyType ?? '');
  const carrierOf = (index: number) => {
    const { reading, number } = asked[index]!;
    return reading.table.carriers[number]!.carrier;
  };
  return {
    count: asked.length,
    carrierOf,
    statusOf: (index) => statusOfCarrier(statuses[index]!),
    verdictOf: (index) => {
      const { reading, number } = asked[index]!;
      return writeVerdict(reading, number, statuses[index]!, versions[carrierOf(index)]!, facts);
    },
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
