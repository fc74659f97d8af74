import { escaped } from '../../packages/core/http/src/docs-page/html.ts';

export interface Bar {
  readonly name: string;
  readonly value: number;
}

const ROW_HEIGHT = 46;
const WIDTH = 760;
const LEFT = 14;
const RIGHT = 130;

/** Ratios as bars from 1, on an axis of powers of ten: to the right of the line we are ahead. */
export function ratioChart(title: string, bars: readonly Bar[]): string {
  const exponents = bars.map(({ value }) => Math.log10(value));
  const least = Math.min(0, Math.floor(Math.min(...exponents)));
  const most = Math.max(1, Math.ceil(Math.max(...exponents)));
  const xOf = (exponent: number) => LEFT + ((exponent - least) / (most - least)) * (WIDTH - LEFT - RIGHT);
  const height = bars.length * ROW_HEIGHT + 34;
  const ticks = Array.from({ length: most - least + 1 }, (_, index) => least + index);
  const lines = ticks.map((exponent) => {
    const x = xOf(exponent).toFixed(1);
    const label = exponent < 0 ? `1/${10 ** -exponent}` : (10 ** exponent).toLocaleString('en-US');
    const kind = exponent === 0 ? 'one' : 'tick';
    // Narrow screens have larger letters: hide every other label.
    const minor = exponent % 2 === 0 ? '' : ' minor';
    return `<line class="${kind}" x1="${x}" x2="${x}" y1="0" y2="${height - 28}"/><text class="label${minor}" x="${x}" y="${height - 6}" text-anchor="middle">${label}</text>`;
  });
  const rows = bars.map(({ name, value }, index) => {
    const y = index * ROW_HEIGHT + 4;
    const [from, to] = [xOf(0), xOf(Math.log10(value))].sort((a, b) => a - b) as [number, number];
    const end = to + 6;
    const kind = value >= 1 ? 'ahead' : 'behind';
    return `<text class="name" x="${LEFT + 5}" y="${y + 17}">${escaped(name)}</text><rect class="${kind}" x="${from.toFixed(1)}" y="${y + 24}" width="${Math.max(1, to - from).toFixed(1)}" height="14" rx="2"/><text class="value" x="${end.toFixed(1)}" y="${y + 36}">${print(value)}</text>`;
  });
  return `<svg class="chart" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(title)}">${lines.join('')}${rows.join('')}</svg>`;
}

function print(value: number): string {
  if (value >= 100) return `${Math.round(value).toLocaleString('en-US')} ×`;
  return `${value.toPrecision(2)} ×`;
}
