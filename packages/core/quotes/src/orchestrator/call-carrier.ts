import { CarrierFault } from '../ports/carrier-fault.ts';

export type Abort = 'deadline' | 'hold_lost' | 'stopping';

export type CallResult<Answer> =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'fault'; readonly fault: CarrierFault }
  | { readonly kind: 'aborted'; readonly why: Abort };

export interface Call<Answer> {
  /** Resolves by the deadline. Never rejects. */
  readonly result: Promise<CallResult<Answer>>;
  /** Resolves when the adapter returns, even past its signal. */
  readonly settled: Promise<void>;
}

export function callCarrier<Answer>(
  work: (signal: AbortSignal) => Promise<Answer>,
  options: { readonly deadlineMs: number; readonly stop: AbortSignal },
): Call<Answer> {
  const controller = new AbortController();
  const { promise: aborted, resolve: abort } = Promise.withResolvers<Abort>();
  const abortCall = (why: Abort) => {
    abort(why);
    controller.abort(new Error(why === 'deadline' ? `No answer within ${options.deadlineMs} ms.` : `Aborted: ${why}.`));
  };
  const timer = setTimeout(() => abortCall('deadline'), options.deadlineMs);
  const onStop = () => abortCall(options.stop.reason === 'hold_lost' ? 'hold_lost' : 'stopping');
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

/** Other errors leave the request's fate unknown. */
function toFault(error: unknown): CarrierFault {
  if (error instanceof CarrierFault) return error;
  return new CarrierFault('The carrier could not be called: its adapter failed.', {
    kind: 'lost',
    code: 'adapter_error',
    cause: error,
  });
}
