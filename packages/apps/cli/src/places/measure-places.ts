import { sampleRadii, summarizeRadii } from '@leeward/address-book';
import { loadZipGazetteer } from '@leeward/places/zips';
import { fittingTable } from '../table/fitting-table.ts';
import type { Terminal } from '../terminal.ts';
import { openKeptBook } from './open-kept-book.ts';

const spans = { short: 'below 100 m', middle: '100 to 300 m', long: '300 m and more' } as const;

/** Measures the error of interpolated locations. */
export async function measurePlaces({ json }: { readonly json?: true }, terminal: Terminal): Promise<void> {
  using book = openKeptBook(terminal);
  const measured = summarizeRadii(sampleRadii(book, await loadZipGazetteer()));
  if (json) {
    terminal.write(`${JSON.stringify(measured, null, 2)}\n`);
    return;
  }
  if (measured.length === 0) {
    terminal.write('Nothing to measure: the book has no houses that can be interpolated from others.\n');
    return;
  }
  const head = ['reckoned', 'where', 'span', 'houses', 'off, median', '95 % within', 'radius ÷ span', 'held'];
  const rows = measured.map((each) => {
    const meters = [each.medianErrorMeters, each.errorMeters95].map((value) => `${Math.round(value)} m`);
    const coverage = Number.isNaN(each.coverage) ? '' : `${(100 * each.coverage).toFixed(1)} %`;
    return [each.method, each.setting, spans[each.size], each.samples, ...meters, each.factor.toFixed(2), coverage];
  });
  terminal.write(`${fittingTable({ head, rows }, terminal)}\n`);
}
