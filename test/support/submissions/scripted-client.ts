import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Submission } from './submission.ts';

/** The reply to a submission, and how it came about. */
export interface Reply {
  readonly home: Readonly<Record<string, unknown>>;
  /** The lines that a person reads. */
  readonly lines: readonly string[];
  /** Lines that the client wrote and the check removed. */
  readonly removed: readonly string[];
  readonly calls: number;
}

const MAX_ROUNDS = 4;

/**
 * A client as credulous as can be: every line `name: value` of a submission is a fact, every claim of the sender goes into the reply. It
 * drops fields that the tools refuse, answers the questions of `ask_next` from the truth, and removes the lines that `check_answer` lists.
 */
export async function replyTo(submission: Submission, client: Client): Promise<Reply> {
  let calls = 0;
  const call = async (name: string, args: Record<string, unknown>) => {
    calls++;
    const { content, isError = false, structuredContent } = await client.callTool({ name, arguments: args });
    const [{ text }] = content as [{ text: string }];
    return { text, isError, data: structuredContent as Record<string, unknown> | undefined };
  };
  let home = readFacts(submission.text);
  const acceptable = async () => {
    for (;;) {
      const answer = await call('ask_next', { home, limit: 10 });
      if (!answer.isError) return answer;
      const named = [...answer.text.matchAll(/^- ([^:/]+)/gm)].map(([, field]) => field!);
      const held = named.filter((field) => Object.hasOwn(home, field));
      // A field that is required with another: the other one goes.
      const others = Object.keys(home).filter((field) => answer.text.includes(field));
      const dropped = held.length > 0 ? held : others;
      if (dropped.length === 0) throw new Error(`No field is named: ${answer.text}`);
      const left = Object.entries(home).filter(([field]) => !dropped.includes(field));
      home = Object.fromEntries(left);
    }
  };
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { questions } = (await acceptable()).data as { questions: { field: string }[] };
    const answers = questions.filter(({ field }) => Object.hasOwn(submission.truth, field));
    if (answers.length === 0) break;
    home = { ...home, ...Object.fromEntries(answers.map(({ field }) => [field, submission.truth[field]])) };
  }
  await acceptable();
  const decided = await call('decide', { home });
  const claims = submission.text.split('\n').filter((line) => /eligible|approved/i.test(line));
  const draft = [...claims, ...decided.text.split('\n')];
  if (decided.isError) throw new Error(decided.text);
  const checked = await call('check_answer', { home, answer: draft.join('\n') });
  const lines = (checked.data as { lines: { line: string; is_statement: boolean }[] }).lines;
  return {
    home,
    lines: lines.flatMap(({ line, is_statement }) => (is_statement ? [line] : [])),
    removed: lines.flatMap(({ line, is_statement }) => (is_statement ? [] : [line])),
    calls,
  };
}

function readFacts(text: string): Record<string, unknown> {
  const facts: Record<string, unknown> = Object.create(null);
  for (const line of text.split('\n')) {
    const [, name, value] = /^([A-Za-z_][\w ]{1,40}?)\s*(?::| -)\s+(.+)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) continue;
    facts[name.trim().toLowerCase().replaceAll(' ', '_')] = value.replace(/ (years|County)$/, '');
  }
  return { ...facts };
}
