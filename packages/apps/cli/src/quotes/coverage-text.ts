import type { ComparedRate, CoverageValue } from '@leeward/quotes';
import { dollars, plainText } from './plain-text.ts';

/** `2 % ($7,000.00), replacement cost`; a dash if not listed. */
export function coverageText(value: CoverageValue | null): string {
  if (value === null) return '–';
  const { amount, percent, percent_of, inclusion, settlement } = value;
  const base = percent_of === null || percent_of === 'dwelling' ? '' : ` of ${plainText(percent_of)}`;
  const size =
    percent === null
      ? amount && dollars(amount)
      : `${percent} %${base}${amount === null ? '' : ` (${dollars(amount)})`}`;
  const isImplied = inclusion === 'included' && size !== null;
  return [size, isImplied ? null : inclusion, settlement]
    .filter((part) => part !== null)
    .join(', ')
    .replaceAll('_', ' ');
}

export function strengthText({ financial_strength: strength }: ComparedRate): string {
  return strength === null ? '–' : plainText(`${strength.rating} (${strength.agency})`);
}
