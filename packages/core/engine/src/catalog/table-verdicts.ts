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
import { type QuotedFacts, quotedFacts } from '../verdict/verdict-of.ts';

/** Statuses of some carriers for one policy type. Verdicts are created on demand. */
export interface CarrierAnswers {
  readonly count: number;
  carrierOf(index: number): number;
  statusOf(index: number): Verdict['status'];
  verdictOf(index: number): Verdict;
}

export function evaluateTables(
  tables: readonly RuleTable[],
  property: Property,
  versions: readonly (CarrierRules | undefined)[],
  isIncluded: IsIncluded,
): CarrierAnswers {
  const carriers = includedCarriers(tables, property, isIncluded);
  return createAnswers(
    carriers,
    carriers.map(({ reading, number }) => carrierStatus(reading, number)),
    versions,
  );
}

/** Carriers between two checks of the clock; each takes about a microsecond. */
const CARRIERS_A_SLICE = 16;

/** Like `evaluateTables`, but yields to other work after a few carriers and after every search. */
export async function evaluateTablesAsync(
  tables: readonly RuleTable[],
  property: Property,
  versions: readonly (CarrierRules | undefined)[],
  isIncluded: IsIncluded,
  turn: Turn,
): Promise<CarrierAnswers> {
  const carriers = includedCarriers(tables, property, isIncluded);
  const statuses: CarrierStatus[] = [];
  for (const { reading, number } of carriers) {
    const quick = carrierStatusAtOnce(reading, number);
    statuses.push(quick ?? carrierStatusForWords(reading, number));
    if (quick !== undefined && statuses.length % CARRIERS_A_SLICE !== 0) continue;
    const pause = pauseOf(turn);
    if (pause) await pause;
  }
  return createAnswers(carriers, statuses, versions);
}

/** Returns true for carriers to evaluate, by position in the catalog; undefined for all. */
export type IsIncluded = ((carrier: number) => boolean) | undefined;

class ReadCarrier {
  readonly reading: RuleReading;
  readonly number: number;

  constructor(reading: RuleReading, number: number) {
    this.reading = reading;
    this.number = number;
  }
}

function includedCarriers(tables: readonly RuleTable[], property: Property, isIncluded: IsIncluded): ReadCarrier[] {
  const carriers: ReadCarrier[] = [];
  for (const table of tables) {
    const reading = readRules(table, property);
    if (!reading) continue;
    for (const number of reading.state.carriers) {
      if (isIncluded?.(table.carriers[number]!.carrier) !== false) carriers.push(new ReadCarrier(reading, number));
    }
  }
  return carriers;
}

function createAnswers(
  carriers: readonly ReadCarrier[],
  statuses: readonly CarrierStatus[],
  versions: readonly (CarrierRules | undefined)[],
): CarrierAnswers {
  const factsOf = factsByReading();
  const carrierOf = (index: number) => {
    const { reading, number } = carriers[index]!;
    return reading.table.carriers[number]!.carrier;
  };
  return {
    count: carriers.length,
    carrierOf,
    statusOf: (index) => statusOfCarrier(statuses[index]!),
    verdictOf: (index) => {
      const { reading, number } = carriers[index]!;
      return writeVerdict(reading, number, statuses[index]!, versions[carrierOf(index)]!, factsOf(reading));
    },
  };
}

/** Tables with a certainty quote other ranges of distances. All tables have one policy type. */
function factsByReading(): (reading: RuleReading) => QuotedFacts {
  const facts = new Map<Property, QuotedFacts>();
  return ({ property, table }) => {
    let quoted = facts.get(property);
    if (!quoted) {
      quoted = quotedFacts(property, table.policyType);
      facts.set(property, quoted);
    }
    return quoted;
  };
}

export function withVerdicts(
  answers: CarrierAnswers,
  verdicts: readonly (readonly [number, Verdict])[],
): CarrierAnswers {
  if (verdicts.length === 0) return answers;
  const first = answers.count;
  return {
    count: first + verdicts.length,
    carrierOf: (index) => (index < first ? answers.carrierOf(index) : verdicts[index - first]![0]),
    statusOf: (index) => (index < first ? answers.statusOf(index) : verdicts[index - first]![1].status),
    verdictOf: (index) => (index < first ? answers.verdictOf(index) : verdicts[index - first]![1]),
  };
}

/** Calls `visit` with the reasons of every certain decline, and whether they decline only jointly. */
export function visitDeclines(
  tables: readonly RuleTable[],
  property: Property,
  versions: readonly (CarrierRules | undefined)[],
  visit: (carrier: number, reasons: readonly Reason[], isJoint: boolean) => void,
): void {
  const factsOf = factsByReading();
  for (const table of tables) {
    const reading = readRules(table, property);
    for (const number of reading?.state.carriers ?? []) {
      if (!reading) continue;
      const status = carrierStatus(reading, number);
      if (statusOfCarrier(status) !== 'ineligible') continue;
      const { carrier } = table.carriers[number]!;
      const { reasons } = writeVerdict(reading, number, status, versions[carrier]!, factsOf(reading));
      visit(carrier, reasons, !hasCertainDecline(reading, number));
    }
  }
}

export function* statusesOf(answers: readonly CarrierAnswers[]): Generator<Verdict['status']> {
  for (const answer of answers) for (let index = 0; index < answer.count; index++) yield answer.statusOf(index);
}

/** Returns verdicts by carrier name, then policy type, then key. */
export function verdictsByName(
  answers: readonly CarrierAnswers[],
  byName: readonly (readonly number[])[],
  carrierCount: number,
): Verdict[] {
  const indexes = answers.map((answer) => {
    const indexOf = new Int32Array(carrierCount).fill(-1);
    for (let index = 0; index < answer.count; index++) indexOf[answer.carrierOf(index)] = index;
    return indexOf;
  });
  const verdicts: Verdict[] = [];
  for (const carriers of byName) {
    answers.forEach((answer, type) => {
      for (const carrier of carriers) {
        const index = indexes[type]![carrier]!;
        if (index >= 0) verdicts.push(answer.verdictOf(index));
      }
    });
  }
  return verdicts;
}
