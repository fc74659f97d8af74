import type { QuoteComparison } from '@leeward/quotes';
import { wordOf, writeWord } from '@leeward/terms';
import { createColors } from 'picocolors';
import { drawTable, eachLine, wrapText } from '../table/fitting-table.ts';
import { coverageText, strengthText } from './coverage-text.ts';
import { dollars, plainText } from './plain-text.ts';
import type { RateTableLayout } from './rate-table.ts';

const sectionNames = {
  coverages: 'coverage',
  deductibles: 'deductible',
  endorsements: 'endorsement',
  fees: 'fee',
} as const;
/** Narrower, an amount of a million would wrap. */
const MIN_COLUMN_WIDTH = 15;
const FRAME_OF_COLUMN = 3;

/** Rates side by side, as many as fit, then differences in coverage. */
export function comparisonTable(comparison: QuoteComparison, { columns, inColor }: RateTableLayout): string {
  const colors = createColors(inColor);
  const { rates, lines, without_premium } = comparison;
  if (rates.length === 0) return `No premium ${comparison.status === 'complete' ? 'came' : 'yet'}.\n`;
  const heads = ['', ...lines.map((line) => `${sectionNames[line.section]}: ${plainText(line.name)}`)];
  const head = Math.min(
    Math.max(...heads.map((text) => text.length), 'premium a year'.length),
    Math.floor(columns / 3),
  );
  const atOnce = Math.max(1, Math.floor((columns - head - FRAME_OF_COLUMN - 1) / (MIN_COLUMN_WIDTH + FRAME_OF_COLUMN)));
  const tables: string[] = [];
  for (let first = 0; first < rates.length; first += atOnce) {
    const block = rates.slice(first, first + atOnce);
    const share = Math.floor((columns - head - FRAME_OF_COLUMN - 1) / block.length) - FRAME_OF_COLUMN;
    const width = Math.min(30, Math.max(MIN_COLUMN_WIDTH, share));
    const rows: string[][] = [];
    rows.push(['form type', ...block.map((rate) => writeWord(rate.form_type))]);
    rows.push([colors.bold('premium a year'), ...block.map((rate) => colors.bold(dollars(rate.premium)))]);
    rows.push([
      'kind',
      ...block.map((rate) =>
        rate.rate_type ? wordOf('rateType', rate.rate_type) : wordOf('quoteOutcome', rate.outcome ?? ''),
      ),
    ]);
    rows.push(['holds until', ...block.map((rate) => rate.expires_at?.slice(0, 10) ?? '–')]);
    rows.push(['financial strength', ...block.map((rate) => wrapText(strengthText(rate), width))]);
    rows.push(['carrier’s terms', ...block.map((rate) => (rate.violates_terms ? colors.red('violated') : '–'))]);
    for (const { section, name, values, differs_from_request, same } of lines) {
      const label = `${sectionNames[section]}: ${plainText(name)}`;
      const cells = block.map((rate, index) => {
        const text = wrapText(coverageText(values[first + index] ?? null), width);
        return differs_from_request.includes(rate.id) ? eachLine(`${text} *`, colors.yellow) : text;
      });
      rows.push([wrapText(same ? label : `${label} ≠`, head), ...cells]);
    }
    tables.push(
      drawTable({
        head: ['', ...block.map((rate) => eachLine(wrapText(plainText(rate.carrier), width), colors.bold))],
        rows,
        aligns: ['left', ...block.map(() => 'right' as const)],
        widths: [head, ...block.map(() => width)],
      }),
    );
  }
  const notes = [
    { same: 'All offer the same coverage.', different: 'Not like for like: rows with ≠ differ.', unknown: '' }[
      comparison.coverage_basis
    ],
    comparison.basis_differences.includes('form_type') ? 'Form types differ.' : '',
    lines.some((line) => line.differs_from_request.length > 0) ? '* the amount differs from the request.' : '',
    without_premium.length === 0 ? '' : `${without_premium.length} without a premium.`,
  ].filter((text) => text !== '');
  return `${[...tables, ...notes].join('\n')}\n`;
}
