import { setTimeout as sleep } from 'node:timers/promises';
import type { CallContext, CarrierAnswer } from '@leeward/quotes';
import { CarrierFault, type FaultKind } from '@leeward/quotes';
import type { JsonObject } from '@leeward/terms';
import type { Exchange } from './exchange.ts';
import { valueAt } from './job.ts';
import { meaningOf, readAnswer } from './read-answer.ts';
import type { HttpCarrierFile, HttpStepFile } from './schema.ts';
import type { HttpAnswer } from './send-http.ts';

/** What steps took, by step and name; or an answer with which one of them ended it all. */
export type Taken = { readonly steps: JsonObject } | { readonly answer: CarrierAnswer };

/** What comes before a carrier is asked for a quote: sessions, accounts. */
export interface Steps {
  /** Steps up to the first that must not be sent twice: all of them may be repeated whatever became of them. */
  begin(values: JsonObject, context: CallContext): Promise<Taken>;
  /** The steps that are kept for several calls, and no others: as `begin` would give them. */
  shared(values: JsonObject, context: CallContext): Promise<JsonObject>;
  /** The rest of them, each sent once. */
  finish(values: JsonObject, begun: JsonObject, context: CallContext): Promise<Taken>;
  /** Something in place of each value that only `finish` takes: what is wrong with other values is found with it. */
  readonly samples: JsonObject;
  /** Whether there are steps that `finish` sends. */
  readonly sendsOnce: boolean;
  /** What of it is worth keeping with a request on which the carrier takes its time. */
  kept(steps: JsonObject): JsonObject;
  /** The carrier did not know a session. @returns whether there can be another. */
  refused(answer: HttpAnswer): boolean;
}

interface Session {
  readonly values: JsonObject;
  /** By the clock of this process. */
  readonly until: number;
}

/** Steps up to the first that must not be sent twice. */
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
    const answer = await exchange.send(exchange.fill(step.request, values), context);
    refused(answer);
    return answer;
  };
  const makeSession = async (step: HttpStepFile, values: JsonObject, context: CallContext): Promise<Session> => {
    try {
      // Not the caller's signal: others wait for the same session.
      const answer = await send(step, values, { ...context, signal: AbortSignal.timeout(MAX_SESSION_MS) });
      const made = { values: take(step, answer, file), until: performance.now() + step.cache_seconds! * 1000 };
      sessions.set(step.id, made);
      return made;
    } finally {
      making.delete(step.id);
    }
  };
  const session = async (step: HttpStepFile, values: JsonObject, context: CallContext): Promise<JsonObject> => {
    const known = sessions.get(step.id);
    if (known !== undefined && performance.now() < known.until) return known.values;
    const made = making.get(step.id) ?? makeSession(step, values, context);
    making.set(step.id, made);
    return (await made).values;
  };
  const begin = async (some: readonly HttpStepFile[], values: JsonObject, context: CallContext): Promise<Taken> => {
    let taken: JsonObject = {};
    for (const step of some) {
      const known = { ...values, steps: taken };
      try {
        if (step.cache_seconds !== undefined) {
          taken = { ...taken, [step.id]: await session(step, known, context) };
          continue;
        }
        const answer = await send(step, known, context);
        const ended = endOf(answer, file);
        if (ended !== undefined) return { answer: ended };
        taken = { ...taken, [step.id]: take(step, answer, file) };
      } catch (error) {
        throw harmless(error);
      }
    }
    return { steps: taken };
  };
  return {
    begin: (values, context) => begin(repeatable, values, context),
    async shared(values, context) {
      const made = await begin(
        repeatable.filter((step) => step.cache_seconds !== undefined),
        values,
        context,
      );
      return 'steps' in made ? made.steps : {};
    },
    async finish(values, begun, context) {
      let taken = begun;
      for (const [index, step] of rest.entries()) {
        const answer = await sendOnce(() => send(step, { ...values, steps: taken }, context), file, context, {
          done: index > 0,
          repeatable: step.idempotent,
        });
        const ended = endOf(answer, file);
        if (ended !== undefined) return { answer: ended };
        taken = { ...taken, [step.id]: take(step, answer, file) };
      }
      return { steps: taken };
    },
    samples: Object.fromEntries(
      rest.map(({ id, take }) => [id, Object.fromEntries(Object.keys(take).map((name) => [name, 'x']))]),
    ),
    sendsOnce: rest.length > 0,
    kept: (taken) =>
      Object.fromEntries(
        Object.entries(taken).filter(([id]) => steps.find((step) => step.id === id)?.cache_seconds === undefined),
      ),
    refused,
  };
}

/** How long a session may take that several calls wait for. */
const MAX_SESSION_MS = 20_000;
const FIRST_WAIT_MS = 500;

/**
 * Sends what comes after something that must not be done twice. Of what the carrier surely did nothing with, or may do
 * twice, there is another try within the call: the call itself cannot be made again without repeating what was done.
 *
 * @throws {CarrierFault} that never says `refused`, or that nothing was made, once something was done.
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

/** An earlier step was done: what was refused now is not all, and a retry keeps its key. */
function partlyDone({ message, code, retryAfterMs, cause }: CarrierFault, kind: FaultKind = 'failed'): CarrierFault {
  return new CarrierFault(message, { kind, code, nothingMade: false, retryAfterMs, cause });
}

const mayHaveWorked: readonly FaultKind[] = ['lost', 'failed', 'unreadable'];

/** Nothing of a quote was done, whatever became of this: it may be sent again. */
function harmless(error: unknown): unknown {
  if (!(error instanceof CarrierFault) || !mayHaveWorked.includes(error.kind)) return error;
  const { message, code, retryAfterMs, cause } = error;
  return new CarrierFault(message, { kind: 'refused', code, retryAfterMs, cause });
}

/** What a step's status alone says of the whole request, as "statuses" of the file has it. */
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
      const message = `The carrier’s answer to the step ${id} has no ${name} ${where}.`;
      throw new CarrierFault(message, { kind: 'unreadable', code: 'step_value_missing' });
    }),
  );
}
