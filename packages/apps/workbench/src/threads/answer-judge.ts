import { BookFileError } from '@leeward/books/evaluate';
import { compareBook } from '../book/compare-book.ts';
import { judgeBook, type KeptBook } from '../book/judge-book.ts';
import { judgeCounties } from '../judge/judge-counties.ts';
import { judgeHome } from '../judge/judge-home.ts';
import type { Asked, BookQuestion, HomeQuestion, JudgeQuestion, JudgeVerb } from '../judge/judge-messages.ts';
import { type OpenCatalog, openCatalog } from '../judge/open-catalog.ts';

// Evaluates homes and whole books in a worker, with the rules of the service.

let open: OpenCatalog | undefined;
let lastBook: KeptBook | undefined;

/** The question cannot be answered; the message is for the user. */
class Refusal extends Error {}

function opened(): OpenCatalog {
  if (open === undefined) throw new Refusal('No rules are loaded yet.');
  return open;
}

const answers: {
  readonly [Verb in JudgeVerb]: (
    question: JudgeQuestion[Verb]['question'],
    onRead: (bytes: number) => void,
  ) => JudgeQuestion[Verb]['answer'] | Promise<JudgeQuestion[Verb]['answer']>;
} = {
  rules(question) {
    open = openCatalog(question);
    return { needService: open.needService };
  },
  home: (question: HomeQuestion) => judgeHome(opened(), question),
  appetite: (question) => judgeCounties(opened(), question),
  async book(question: BookQuestion, onRead) {
    lastBook = undefined;
    lastBook = await judgeBook(opened().catalog, question, onRead);
    return lastBook.overview;
  },
  change: (question, onRead) => compareBook(question, onRead),
  statuses: () => keptBook().statuses(),
  rejects: () => keptBook().rejects(),
};

function keptBook(): KeptBook {
  if (lastBook === undefined) throw new Refusal('No book was evaluated yet.');
  return lastBook;
}

/** Answers a question of the page, by a message of the same number. */
export function answer({ number, verb, question }: Asked): void {
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
