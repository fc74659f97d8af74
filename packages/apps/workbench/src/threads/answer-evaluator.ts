import { BookFileError } from '@leeward/books/evaluate';
import { compareBook } from '../book/compare-book.ts';
import { evaluateBook, type KeptBook } from '../book/evaluate-book.ts';
import { type OpenPeek, peekBook } from '../book/peek-book.ts';
import { evaluateCounties } from '../evaluate/evaluate-counties.ts';
import { evaluateHome } from '../evaluate/evaluate-home.ts';
import type {
  BookQuestion,
  EvaluatorQuestion,
  EvaluatorRequest,
  EvaluatorVerb,
  HomeQuestion,
} from '../evaluate/evaluator-messages.ts';
import { type OpenCatalog, openCatalog } from '../evaluate/open-catalog.ts';

let open: OpenCatalog | undefined;
let lastBook: KeptBook | undefined;
let lastPeek: OpenPeek | undefined;

/** The message is for the user. */
class Refusal extends Error {}

function opened(): OpenCatalog {
  if (open === undefined) throw new Refusal('No rules are loaded yet.');
  return open;
}

const answers: {
  readonly [Verb in EvaluatorVerb]: (
    question: EvaluatorQuestion[Verb]['question'],
    onRead: (bytes: number) => void,
  ) => EvaluatorQuestion[Verb]['answer'] | Promise<EvaluatorQuestion[Verb]['answer']>;
} = {
  rules(question) {
    open = openCatalog(question);
    return { needService: open.needService, needEvents: open.needEvents };
  },
  home: (question: HomeQuestion) => evaluateHome(opened(), question),
  appetite: (question) => evaluateCounties(opened(), question),
  async book(question: BookQuestion, onRead) {
    lastBook = undefined;
    lastBook = await evaluateBook(opened().catalog, question, onRead);
    return lastBook.overview;
  },
  async peek(file: File) {
    lastPeek = undefined;
    lastPeek = await peekBook(file, opened().catalog.vocabulary);
    return lastPeek.peeked;
  },
  preview(columns) {
    if (lastPeek === undefined) throw new Refusal('No book is open.');
    return lastPeek.preview(columns);
  },
  policies: (selection) => keptBook().policies(selection),
  policyFile: (selection) => keptBook().policyFile(selection),
  change: (question, onRead) => compareBook(question, onRead),
  statuses: () => keptBook().statuses(),
  rejects: () => keptBook().rejects(),
};

function keptBook(): KeptBook {
  if (lastBook === undefined) throw new Refusal('No book was evaluated yet.');
  return lastBook;
}

export function answer({ number, verb, question }: EvaluatorRequest): void {
  const handler = answers[verb] as (question: unknown, onRead: (bytes: number) => void) => unknown;
  const onRead = (read: number) => postMessage({ number, read });
  new Promise((resolve) => {
    resolve(handler(question, onRead));
  }).then(
    (answered) => postMessage({ number, answer: answered }),
    (error: unknown) => {
      const isMeant = error instanceof BookFileError || error instanceof Refusal;
      const detail = error instanceof Error ? error.message : String(error);
      postMessage({ number, refused: isMeant ? detail : `Evaluation failed: ${detail}` });
    },
  );
}
