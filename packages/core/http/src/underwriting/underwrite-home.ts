import {
  type Almanac,
  createAlmanac,
  createTurn,
  type Decider,
  type DecidingOptions,
  type Decision,
  FACT_TIMEOUT_MS,
  nextTurn,
  type Property,
  type Turn,
} from '@leeward/engine';
import { invalidRequest } from '../problem/problem.ts';
import { inSpan } from '../trace/tracing.ts';
import type { WireDecision } from './decision-schema.ts';
import { createDistanceLimits } from './distance-limits.ts';
import { explainVerdicts, MAX_EXPLAINED } from './explain-verdicts.ts';
import { type ReadHomeOptions, readHome } from './read-home.ts';
import { answeredVerdicts, writeDecision } from './write-decision.ts';

/** Saves a share of the decisions, to replay them under other rules. `captureDecisions` of `@leeward/http-admin` makes one. */
export interface DecisionCapture {
  /** True if the next decision under these rules is to be saved. */
  wants(decider: Decider): boolean;
  /** Decides, and saves the decision for an organization or for none. Does not wait until it is saved. */
  decide(
    organizationId: string | null,
    decider: Decider,
    property: Property,
    options: DecidingOptions,
  ): Promise<Decision>;
}

/** Who judges, and under which identifiers the answer goes out. */
export interface UnderwriteHomeOptions extends Omit<ReadHomeOptions, 'vocabulary'> {
  readonly decider: Decider;
  readonly traceId: string;
  readonly organizationId: string | null;
  /** Keeps a share of the decisions, as those of an organization or of none. */
  readonly capture?: { readonly by: DecisionCapture; readonly organizationId: string | null } | undefined;
  /** Whose turn it is; default one of its own. */
  readonly turn?: Turn;
  /** Time until the request is given up, in ms: facts of the host that take longer than half of it are unknown. */
  readonly remainingMs?: number;
  /** Told before it is done how many things are asked for at once: policy types, entries that are explained. */
  readonly countItems?: (items: number) => void | Promise<void>;
}

/** What every carrier says of a home, as it is answered on the wire. Throws a `Problem` with every fault of the request. */
export async function underwriteHome(body: unknown, options: UnderwriteHomeOptions): Promise<WireDecision> {
  const { decider, traceId, organizationId, turn = createTurn() } = options;
  const read = await readHome(body, { ...options, vocabulary: decider.vocabulary });
  if (!read.ok) throw invalidRequest(read.faults);
  const { request, known } = read;
  const { property } = request;
  if (property.policyType === undefined) await options.countItems?.(decider.vocabulary.policyTypes.length);
  const almanac = hostFacts(property, options);
  const decision = await inSpan('underwrite.decide', () => decide(property, options, { turn, ...almanac }));
  let explained: Awaited<ReturnType<typeof explainVerdicts>> | undefined;
  if (request.explain) {
    const told = answeredVerdicts(request, decision);
    await options.countItems?.(Math.min(told.length, MAX_EXPLAINED));
    explained = await inSpan('underwrite.explain', () => explainVerdicts(decider, property, told, turn, almanac));
  }
  await nextTurn(turn);
  const limitsOf = known && createDistanceLimits(decider, property, known);
  return writeDecision(request, decision, { traceId, organizationId, known, limitsOf, explained });
}

/**
 * The host's facts, to decide and explain from the same values: aborted with the request, and given half of its time at
 * most, so that a fact that hangs does not cost the answer.
 */
function hostFacts(
  property: Property,
  { decider, caller, remainingMs = Number.POSITIVE_INFINITY }: UnderwriteHomeOptions,
): { almanac?: Almanac } {
  const { options } = decider;
  if (Object.keys(options.facts ?? {}).length === 0) return {};
  const factTimeoutMs = Math.min(options.factTimeoutMs ?? FACT_TIMEOUT_MS, remainingMs / 2);
  return { almanac: createAlmanac(options, property, { factTimeoutMs, ...(caller ? { signal: caller.signal } : {}) }) };
}

async function decide(
  property: Property,
  { decider, capture }: UnderwriteHomeOptions,
  deciding: DecidingOptions,
): Promise<Decision> {
  if (!capture?.by.wants(decider)) return decider.decide(property, deciding);
  return capture.by.decide(capture.organizationId, decider, property, deciding);
}
