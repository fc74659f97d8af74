import { CarrierFault } from '../ports/carrier-fault.ts';

/** Why a call was broken off. */
export type Abort = 'deadline' | 'hold_lost' | 'stopping';

export type CallResult<Answer> =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'fault'; readonly fault: CarrierFault }
  | { readonly kind: 'aborted'; readonly why: Abort };

export interface Call<Answer> {
  /** Resolves with the outcome, at the deadline at the latest. Never rejects. */
  readonly result: Promise<CallResult<Answer>>;
  /** Resolves when the adapter has really come back, however long it took no notice of its signal. */
  readonly settled: Promise<void>;
}

/** Calls an adapter that must answer within `deadlineMs` and may be broken off before. */
export function callCarrier<Answer>(
  work: (signal: AbortSignal) => Promise<Answer>,
  options: { readonly deadlineMs: number; readonly stop: AbortSignal },
): Call<Answer> {
  const controller = new AbortController();
  const { promise: aborted, resolve: abort } = Promise.withResolvers<Abort>();
  const breakOff = (why: Abort) => {
    abort(why);
    controller.abort(
      new Error(why === 'deadline' ? `No answer within ${options.deadlineMs} ms.` : `Broken off: ${why}.`),
    );
  };
  const timer = setTimeout(() => breakOff('deadline'), options.deadlineMs);
  const onStop = () => breakOff(options.stop.reason === 'hold_lost' ? 'hold_lost' : 'stopping');
  if (options.stop.aborted) onStop();
  else options.stop.addEventListener('abort', onStop, { once: true });

  const answered = (async (): Promise<CallResult<Answer>> => {
    try {
      return { kind: 'answer', answer: await work(controller.signal) };
    } catch (error) {
      return { kind: 'fault', fault: toFault(error) };
    }
  })();
  const result = Promise.race([
    answered,
    aborted.then((why): CallResult<Answer> => ({ kind: 'aborted', why })),
  ]).finally(() => {
    clearTimeout(timer);
    options.stop.removeEventListener('abort', onStop);
  });
  return { result, settled: answered.then(() => {}) };
}

/** What an adapter throws that is no fault of ours tells nothing of the request's fate. */
function toFault(error: unknown): CarrierFault {
  if (error instanceof CarrierFault) return error;
  return new CarrierFault('The carrier could not be asked: its adapter failed.', {
    kind: 'lost',
    code: 'adapter_error',
    cause: error,
  });
}
