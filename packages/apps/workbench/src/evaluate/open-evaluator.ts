import { startWorker } from '../service/start-worker.ts';
import type { WireRuleSets } from '../service/wire.ts';
import type {
  EvaluatorQuestion,
  EvaluatorReply,
  EvaluatorRequest,
  EvaluatorVerb,
  OpenedRules,
} from './evaluator-messages.ts';

/** The worker that evaluates homes and books. */
export interface Evaluator {
  /** Rejects with an `Error` whose message is for the user. */
  ask<Verb extends EvaluatorVerb>(
    verb: Verb,
    question: EvaluatorQuestion[Verb]['question'],
    onRead?: (bytes: number) => void,
  ): Promise<EvaluatorQuestion[Verb]['answer']>;
  readonly opened: Promise<OpenedRules>;
  close(): void;
}

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly onRead: ((bytes: number) => void) | undefined;
}

export function openEvaluator(rules: WireRuleSets): Evaluator {
  const worker = startWorker('evaluator');
  const waiting = new Map<number, Waiting>();
  let last = 0;
  worker.addEventListener('message', ({ data }: MessageEvent<EvaluatorReply>) => {
    const entry = waiting.get(data.number);
    if (entry === undefined) return;
    if ('read' in data) return entry.onRead?.(data.read);
    waiting.delete(data.number);
    if ('refused' in data) entry.reject(new Error(data.refused));
    else entry.resolve(data.answer);
  });
  worker.addEventListener('error', () => {
    for (const { reject } of waiting.values())
      reject(new Error('The evaluation program could not be loaded; try again.'));
    waiting.clear();
  });
  const ask: Evaluator['ask'] = (verb, question, onRead) => {
    const number = ++last;
    return new Promise((resolve, reject) => {
      waiting.set(number, { resolve: resolve as Waiting['resolve'], reject, onRead });
      worker.postMessage({ number, verb, question } satisfies EvaluatorRequest<typeof verb>);
    });
  };
  const opened = ask('rules', rules);
  // Each call of `ask` reports the failure.
  opened.catch(() => {});
  return {
    ask,
    opened,
    close() {
      worker.terminate();
      for (const { reject } of waiting.values()) reject(new Error('Given up.'));
      waiting.clear();
    },
  };
}
