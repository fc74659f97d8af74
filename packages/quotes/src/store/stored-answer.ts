import type { AmountLine } from '../ports/carrier-adapter.ts';
import type { StoredAnswer } from '../ports/quote-store.ts';

type StoredLine = Omit<AmountLine, 'amountCents'> & { readonly amountCents: string };
type AnswerJson = Omit<StoredAnswer, 'coverages' | 'deductibles' | 'fees'> & {
  readonly [Key in 'coverages' | 'deductibles' | 'fees']?: readonly StoredLine[];
};

/** An answer as JSON text; cents as strings of digits, because JSON numbers are not exact. */
export function formatAnswer(answer: StoredAnswer): string {
  return JSON.stringify(answer, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

export function parseAnswer(text: string | null): StoredAnswer | undefined {
  if (text === null) return undefined;
  const { coverages, deductibles, fees, ...rest } = JSON.parse(text) as AnswerJson;
  return { ...rest, coverages: lines(coverages), deductibles: lines(deductibles), fees: lines(fees) };
}

function lines(stored: readonly StoredLine[] | undefined): AmountLine[] | undefined {
  return stored?.map((line) => ({ ...line, amountCents: BigInt(line.amountCents) }));
}
