/** Answers of carriers with tiers. The rule tables leave them out; each is searched separately. */
import { findLadder, findLadderStatuses } from '../compiled/find-ladder.ts';
import type { Property } from '../request/property.ts';
import { pauseOf, type Turn } from '../turns/turn.ts';
import type { CarrierRules } from '../verdict/carrier-rules.ts';
import type { Findings } from '../verdict/findings.ts';
import { STATUS_CODES } from '../verdict/status-codes.ts';
import type { Reason, SettledStatus, Verdict } from '../verdict/verdict.ts';
import { verdictOf } from '../verdict/verdict-of.ts';
import type { LadderCarrier } from './compiled-carriers.ts';
import type { CarrierAnswers, IsIncluded } from './table-verdicts.ts';

interface LadderAnswer extends LadderCarrier {
  readonly possible: ReadonlySet<SettledStatus>;
  findings: Findings | undefined;
}

export function evaluateLadders(
  ladders: readonly LadderCarrier[],
  property: Property,
  versions: readonly (CarrierRules | undefined)[],
  isIncluded: IsIncluded,
): CarrierAnswers {
  const answers: LadderAnswer[] = [];
  for (const each of included(ladders, isIncluded)) {
    const statuses = findLadderStatuses(each.ladder, property);
    if (statuses) answers.push({ ...each, possible: statuses.possible, findings: undefined });
  }
  return answersOf(answers, property, versions);
}

/** Like `evaluateLadders`, but runs all searches, and yields to other work after each. */
export async function evaluateLaddersAsync(
  ladders: readonly LadderCarrier[],
  property: Property,
  versions: readonly (CarrierRules | undefined)[],
  isIncluded: IsIncluded,
  turn: Turn,
): Promise<CarrierAnswers> {
  const answers: LadderAnswer[] = [];
  for (const each of included(ladders, isIncluded)) {
    const findings = findLadder(each.ladder, property);
    if (findings) answers.push({ ...each, possible: findings.possible, findings });
    const pause = pauseOf(turn);
    if (pause) await pause;
  }
  return answersOf(answers, property, versions);
}

export function joinAnswers(one: CarrierAnswers, other: CarrierAnswers): CarrierAnswers {
  if (other.count === 0) return one;
  const first = one.count;
  return {
    count: first + other.count,
    carrierOf: (index) => (index < first ? one.carrierOf(index) : other.carrierOf(index - first)),
    statusOf: (index) => (index < first ? one.statusOf(index) : other.statusOf(index - first)),
    verdictOf: (index) => (index < first ? one.verdictOf(index) : other.verdictOf(index - first)),
  };
}

/** Like `visitDeclines`, for carriers with tiers. */
export function visitLadderDeclines(
  ladders: readonly LadderCarrier[],
  property: Property,
  versions: readonly (CarrierRules | undefined)[],
  visit: (carrier: number, reasons: readonly Reason[], isJoint: boolean) => void,
): void {
  for (const { carrier, ladder } of ladders) {
    const findings = findLadder(ladder, property);
    if (!findings || statusOf(findings.possible) !== 'ineligible') continue;
    const { reasons } = verdictOf(findings, versions[carrier]!, ladder.whole.policyType, property);
    visit(carrier, reasons, findings.jointly !== undefined);
  }
}

/** Like `writeStatusCodes`, for carriers with tiers. */
export function writeLadderCodes(
  ladders: readonly LadderCarrier[],
  property: Property,
  out: Uint8Array,
  from: number,
): void {
  for (const { carrier, ladder } of ladders) {
    const statuses = findLadderStatuses(ladder, property);
    if (statuses) out[from + carrier] = STATUS_CODES.indexOf(statusOf(statuses.possible));
  }
}

function included(ladders: readonly LadderCarrier[], isIncluded: IsIncluded): readonly LadderCarrier[] {
  return isIncluded ? ladders.filter(({ carrier }) => isIncluded(carrier) !== false) : ladders;
}

function statusOf(possible: ReadonlySet<SettledStatus>): Verdict['status'] {
  const [only] = possible;
  return possible.size === 1 ? only! : 'needs_information';
}

function answersOf(
  answers: readonly LadderAnswer[],
  property: Property,
  versions: readonly (CarrierRules | undefined)[],
): CarrierAnswers {
  return {
    count: answers.length,
    carrierOf: (index) => answers[index]!.carrier,
    statusOf: (index) => statusOf(answers[index]!.possible),
    verdictOf: (index) => {
      const answer = answers[index]!;
      answer.findings ??= findLadder(answer.ladder, property)!;
      return verdictOf(answer.findings, versions[answer.carrier]!, answer.ladder.whole.policyType, property);
    },
  };
}
