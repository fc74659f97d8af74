import { computed, effect, signal, untracked } from '@preact/signals';
import type { Evaluator } from '../evaluate/open-evaluator.ts';
import { ensureRuleSets } from '../evaluate/rule-sets.ts';
import { leftToService, needsEvents, sharedEvaluator } from '../evaluate/shared-evaluator.ts';
import { chosenLine, homeLine } from '../lines/served-lines.ts';
import { type Answered, ask, type Failure } from '../service/ask.ts';
import { session } from '../service/session.ts';
import type { WireDecision, WireDistance, WireVerdict } from '../service/wire.ts';
import { form, missingLine } from './home-state.ts';

/** The last answer; stays until the next arrives. */
export const decision = signal<WireDecision | undefined>(undefined);
/** The last explained answer; stays while newer explanations are pending. */
export const explained = signal<WireDecision | undefined>(undefined);
const explainedVerdicts = computed(
  () =>
    new Map(
      [...(explained.value?.carriers ?? []), ...(explained.value?.declined ?? [])].map((each) => [keyOf(each), each]),
    ),
);
export const failure = signal<Failure | undefined>(undefined);
export const isAsking = signal(false);
/** Undefined without a place. */
export const distance = signal<WireDistance | undefined>(undefined);
export const distanceFailure = signal<Failure | undefined>(undefined);

export const keyOf = ({ carrier_key, policy_type }: WireVerdict): string => `${carrier_key} ${policy_type}`;

/** True if the answer of the carrier allows a quote. */
export const canQuote = ({ status }: WireVerdict): boolean =>
  chosenLine.value === homeLine && (status === 'eligible' || status === 'referral');

/** A verdict with its explanation; with `isOld`, that of an earlier answer. */
export function explanationOf(verdict: WireVerdict): { readonly why: WireVerdict; readonly isOld: boolean } {
  const earlier = verdict.explanation === undefined ? explainedVerdicts.value.get(keyOf(verdict)) : undefined;
  return { why: earlier ?? verdict, isOld: earlier !== undefined };
}

const SETTLE_MS = 90;
/** Explanations are large: request them when typing pauses. */
const REST_MS = 350;
/** The first answer comes from the service. Rules, which are larger, are loaded after it or after this time. */
const FIRST_ANSWER_MS = 1_500;

type Request = Readonly<Record<string, unknown>>;

function path(): string {
  const { organization } = session.value ?? {};
  const all = `/v1/underwrite/${chosenLine.value.line}`;
  return organization === undefined ? all : `${all}/${encodeURIComponent(organization)}`;
}

let going = new AbortController();
/** The line of the last answer. */
let askedLine = homeLine.line;

/** Aborts the previous request. */
export async function askVerdicts(request: Request = form.value.request.value): Promise<void> {
  going.abort();
  going = new AbortController();
  const { signal } = going;
  const { line } = chosenLine.value;
  // Verdicts of another line do not apply.
  if (line !== askedLine) decision.value = explained.value = failure.value = undefined;
  askedLine = line;
  if (request['state'] === undefined) {
    decision.value = explained.value = failure.value = undefined;
    isAsking.value = false;
    return;
  }
  isAsking.value = true;
  const evaluator = localEvaluator(request);
  if (evaluator === undefined) await rest(SETTLE_MS);
  if (signal.aborted) return;
  const question = { ...request, include_not_offered: true };
  const answer = evaluator
    ? await evaluateLocally(evaluator, question)
    : await ask<WireDecision>(path(), question, { signal });
  if (signal.aborted) return;
  isAsking.value = false;
  failure.value = answer.ok ? undefined : answer.failure;
  if (!answer.ok) return;
  decision.value = answer.data;
  await rest(REST_MS);
  if (signal.aborted) return;
  const why = await ask<WireDecision>(path(), { ...question, explain: true }, { signal });
  if (signal.aborted) return;
  if (why.ok) {
    explained.value = decision.value = why.data;
    return;
  }
  // The verdicts stay; explanations of an earlier answer no longer hold.
  explained.value = undefined;
  if (evaluator) failure.value = why.failure;
}

/** The engine in the page, if it knows all carriers. Only the service can locate a place, and knows events. */
function localEvaluator({ address, lat, lng }: Request): Evaluator | undefined {
  const isHere = chosenLine.value === homeLine && address === undefined && lat === undefined && lng === undefined;
  const evaluator = isHere ? sharedEvaluator() : undefined;
  return leftToService.value?.length === 0 && needsEvents.value === false ? evaluator : undefined;
}

/** The result equals that of the service. */
async function evaluateLocally(evaluator: Evaluator, request: Request): Promise<Answered<WireDecision>> {
  const result = await evaluator.ask('home', request).catch((error: Error) => error);
  if (result instanceof Error) {
    const failure = {
      status: 0,
      code: 'not_judged',
      title: 'The page could not evaluate the home',
      detail: result.message,
      errors: [],
    };
    return { ok: false, failure };
  }
  if (result.ok) return { ok: true, data: result.decision };
  const { errors } = result;
  const detail = errors.map(({ message }) => message).join(' ');
  return { ok: false, failure: { status: 422, code: 'invalid_request', title: 'Invalid request', detail, errors } };
}

let measuring = new AbortController();

export async function askDistance(request: Request = form.value.request.value): Promise<void> {
  measuring.abort();
  measuring = new AbortController();
  const { signal } = measuring;
  const { address, lat, lng } = request;
  const place = address === undefined ? { lat, lng } : { address };
  if (address === undefined && (lat === undefined || lng === undefined)) {
    distance.value = distanceFailure.value = undefined;
    return;
  }
  await rest(REST_MS);
  if (signal.aborted) return;
  const answer: Answered<WireDistance> = await ask('/v1/distance-to-coast', place, { signal });
  if (signal.aborted) return;
  distance.value = answer.ok ? answer.data : undefined;
  distanceFailure.value = answer.ok ? undefined : answer.failure;
}

/** Evaluates while the user types. The returned function stops it. */
export function followTyping(): () => void {
  let place = '';
  const wait = setTimeout(ensureRuleSets, FIRST_ANSWER_MS);
  const ends = [
    () => clearTimeout(wait),
    effect(() => {
      if (decision.value !== undefined) untracked(ensureRuleSets);
    }),
    effect(() => {
      const request = form.value.request.value;
      if (session.value && missingLine.value === undefined) void untracked(() => askVerdicts(request));
    }),
    effect(() => {
      // Do not wait for a slow service.
      const evaluator = localEvaluator(untracked(() => form.value.request.value));
      if (evaluator) untracked(() => isAsking.value && askVerdicts());
    }),
    effect(() => {
      const request = form.value.request.value;
      const { address, lat, lng } = request;
      // Repeat with a new token: the old one may have been rejected.
      const here = JSON.stringify([address, lat, lng, session.value?.token]);
      if (here !== place) void untracked(() => askDistance(request));
      place = here;
    }),
  ];
  return () => {
    going.abort();
    measuring.abort();
    for (const end of ends) end();
  };
}

const rest = (ms: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ms);
  });
