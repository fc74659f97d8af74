import type { WireComparison } from '../service/wire.ts';

export type WireCoverageValue = NonNullable<WireComparison['lines'][number]['requested_value']>;

/** `$2,030.18`. */
export const premiumWords = (amount: string): string => dollarsOf(amount, 2);

/** `$350,000`; cents only if there are any. */
export const amountWords = (amount: string): string => dollarsOf(amount, Number(amount) % 1 === 0 ? 0 : 2);

function dollarsOf(amount: string, minimumFractionDigits: number): string {
  const value = Number(amount);
  if (!Number.isFinite(value)) return amount;
  const options = { style: 'currency', currency: 'USD', minimumFractionDigits, maximumFractionDigits: 2 } as const;
  return value.toLocaleString('en-US', options);
}

/** `2 % ($7,000)`, `excluded`, `replacement cost`. */
export function coverageWords({ amount, percent, percent_of, inclusion, settlement }: WireCoverageValue): string {
  const paid = amount === null ? '' : amountWords(amount);
  const base = percent_of === null || percent_of === 'dwelling' ? '' : ` of ${percent_of}`;
  const size = percent === null ? paid : `${percent} %${base}${paid && ` (${paid})`}`;
  const isImplied = inclusion === 'included' && size !== '';
  const parts = [size, isImplied ? '' : (inclusion ?? ''), settlement === null ? '' : settlements[settlement]].filter(
    (part) => part !== '',
  );
  return parts.join(', ').replaceAll('_', ' ');
}

export const settlements = {
  replacement_cost: 'replacement cost',
  actual_cash_value: 'actual cash value',
  schedule: 'payment schedule',
} as const;

/** `November 27, 2026`, from a date or an instant. */
export function dateWords(text: string): string {
  const date = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return date.toLocaleDateString('en-US', { timeZone: 'UTC', year: 'numeric', month: 'long', day: 'numeric' });
}
