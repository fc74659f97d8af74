import { setTimeout as sleep } from 'node:timers/promises';
import type { CallContext, CarrierAnswer } from '@leeward/quotes';
import { CarrierFault, type FaultKind } from '@leeward/quotes';
import type { JsonObject } from '@leeward/terms';
import type { Exchange } from './exchange.ts';
import { valueAt } from './job.ts';
import { meaningOf, readAnswer } from './read-answer.ts';
import type { HttpCarrierFile, HttpStepFile } from './schema.ts';
import type { HttpAnswer } from './send-http.ts';

/** Values by step and name; or an answer that ends the request. */
export type Taken = { readonly steps: JsonObject } | { readonly answer: CarrierAnswer };

/** Requests before the quote request: sessions, accounts. */
export interface Steps {
  /** Up to the first step that must not be repeated. */
  begin(values: JsonObject, context: CallContext): Promise<Taken>;
  /** Like `begin`, but only the cached steps. */
  shared(values: JsonObject, context: CallContext): Promise<JsonObject>;
  /** The remaining steps, once each. */
  finish(values: JsonObject, begun: JsonObject, context: CallContext): Promise<Taken>;
  /** Placeholders for the values of `finish`, so that others can be checked before it. */
  readonly samples: JsonObject;
  readonly sendsOnce: boolean;
  /** For a pending job: those that are not cached. */
  valuesToKeep(steps: JsonObject): JsonObject;
  /** Drops sessions that this answer rejects. @returns true if one was dropped. */
  refused(answer: HttpAnswer): boolean;
}

interface Session {
  readonly values: JsonObject;
  /** On the monotonic clock. */
  readonly until: number;
}

/** Before the first that must not be repeated. */
export function repeatableSteps(steps: readonly HttpStepFile[]): readonly HttpStepFile[] {
  const firstOnce = steps.findIndex((step) => !step.idempotent);
  return firstOnce < 0 ? steps : steps.slice(0, firstOnce);
}

export function createSteps(file: HttpCarrierFile, exchange: Exchange): Steps {
  const steps = file.steps ?? [];
  const repeatable = repeatableSteps(steps);
  const rest = steps.slice(repeatable.length);
  const sessions = new Map<string, Session>();
  const making = new Map<string, Promise<Session>>();

  const refused = ({ status }: HttpAnswer) => {
    const stale = repeatable.filter(
      ({ cache_seconds, renew_statuses = [401] }) => cache_seconds !== undefined && renew_statuses.includes(status),
    );
    for (const { id } of stale) sessions.delete(id);
    return stale.length > 0;
  };
  const send = async (step: HttpStepFile, values: JsonObject, context: CallContext) => {
    const answer = await exchange.send(exchange.fill(step.request, values), context, { purpose: 'step' });
    refused(answer);
    return answer;
  };
  const makeSession = async (step: HttpStepFile, values: JsonObject, context: CallContext): Promise<Session> => {
    try {
      // Not the caller's signal: others wait for the same session.
      const answer = await send(step, values, { ...context, signal: AbortSignal.timeout(MAX_SESSION_MS) });
      const session = { values: take(step, answer, file), until: performance.now() + step.cache_seconds! * 1000 };
      for (const value of Object.values(session.values)) exchange.keepSecret(value);
      sessions.set(step.id, session);
      return session;
    } finally {
      making.delete(step.id);
    }
  };
  const sessionOf = async (step: HttpStepFile, values: JsonObject, context: CallContext): Promise<JsonObject> => {
    const session = sessions.get(step.id);
    if (session !== undefined && performance.now() < session.until) return session.values;
    const pending = making.get(step.id) ?? makeSession(step, values, context);
    making.set(step.id, pending);
    return (await pending).values;
  };
  const begin = async (some: readonly HttpStepFile[], values: JsonObject, context: CallContext): Promise<Taken> => {
    let results: JsonObject = {};
    for (const step of some) {
      const stepValues = { ...values, steps: results };
      try {
        if (step.cache_seconds !== undefined) {
          results = { ...results, [step.id]: await sessionOf(step, stepValues, context) };
          continue;
        }
        const answer = await send(step, stepValues, context);
        const ended = endOf(answer, file);
        if (ended !== undefined) return { answer: ended };
        results = { ...results, [step.id]: take(step, answer, file) };
      } catch (error) {
        throw harmless(error);
      }
    }
    return { steps: results };
  };
  return {
    begin: (values, context) => begin(repeatable, values, context),
    async shared(values, context) {
      const result = await begin(
        repeatable.filter((step) => step.cache_seconds !== undefined),
        values,
        context,
      );
      return 'steps' in result ? result.steps : {};
    },
    async finish(values, begun, context) {
      let results = begun;
      for (const [index, step] of rest.entries()) {
        const answer = await sendOnce(() => send(step, { ...values, steps: results }, context), file, context, {
          done: index > 0,
          repeatable: step.idempotent,
        });
        const ended = endOf(answer, file);
        if (ended !== undefined) return { answer: ended };
        results = { ...results, [step.id]: take(step, answer, file) };
      }
      return { steps: results };
    },
    samples: Object.fromEntries(
      rest.map(({ id, take }) => [id, Object.fromEntries(Object.keys(take).map((name) => [name, 'x']))]),
    ),
    sendsOnce: rest.length > 0,
    valuesToKeep: (results) =>
      Object.fromEntries(
        Object.entries(results).filter(([id]) => steps.find((step) => step.id === id)?.cache_seconds === undefined),
      ),
    refused,
  };
}

/** Several calls may share the request. */
const MAX_SESSION_MS = 20_000;
const FIRST_WAIT_MS = 500;

/**
 * After a step that must not be repeated. Retries within the call if the carrier certainly did nothing or the request is repeatable,
 * because retrying the whole call would repeat the step. @throws {CarrierFault} never of kind `refused` or with `nothingMade`, once a
 * step was done.
 */
export async function sendOnce(
  send: () => Promise<HttpAnswer>,
  file: HttpCarrierFile,
  { deadlineMs, signal }: CallContext,
  { done, repeatable }: { readonly done: boolean; readonly repeatable: boolean },
): Promise<HttpAnswer> {
  const start = performance.now();
  for (let waitMs = FIRST_WAIT_MS; ; waitMs *= 2) {
    try {
      const answer = await send();
      meaningOf(answer, file);
      return answer;
    } catch (error) {
      if (!(error instanceof CarrierFault) || !done) throw error;
      if (error.kind === 'invalid') throw partlyDone(error, 'invalid');
      const again = error.kind === 'refused' || (repeatable && error.code !== 'too_long');
      const pauseMs = Math.max(waitMs, error.retryAfterMs ?? 0);
      const isOver = signal.aborted || performance.now() - start + pauseMs >= deadlineMs;
      if (!again || isOver) throw error.kind === 'refused' ? partlyDone(error) : error;
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) throw partlyDone(error);
    }
  }
}

/** An earlier step may have done work: a retry keeps its key. */
function partlyDone({ message, code, retryAfterMs, cause }: CarrierFault, kind: FaultKind = 'failed'): CarrierFault {
  return new CarrierFault(message, { kind, code, nothingMade: false, retryAfterMs, cause });
}

const mayHaveWorked: readonly FaultKind[] = ['lost', 'failed', 'unreadable'];

/** Steps make no quote, so the request may be sent again. */
function harmless(error: unknown): unknown {
  if (!(error instanceof CarrierFault) || !mayHaveWorked.includes(error.kind)) return error;
  const { message, code, retryAfterMs, cause } = error;
  return new CarrierFault(message, { kind: 'refused', code, retryAfterMs, cause });
}

/** By a step's status alone. */
function endOf(answer: HttpAnswer, file: HttpCarrierFile): CarrierAnswer | undefined {
  return meaningOf(answer, file) === 'answer' ? undefined : readAnswer(answer, file.response, file);
}

function take({ id, take: places }: HttpStepFile, answer: HttpAnswer, file: HttpCarrierFile): JsonObject {
  meaningOf(answer, file);
  return Object.fromEntries(
    Object.entries(places).map(([name, place]) => {
      const value = valueAt(answer, place);
      if (value !== undefined) return [name, value];
      const where = 'header' in place ? `in the header ${place.header}` : `at ${place.path}`;
      const message = `The carrier's answer to the step ${id} has no ${name} ${where}.`;
      throw new CarrierFault(message, { kind: 'unreadable', code: 'step_value_missing' });
    }),
  );
}
