import { formatCount } from '../format-count.ts';
import { escaped } from '../html/escaped.ts';

export interface Bar {
  readonly name: string;
  readonly count: number;
  /** By column after the count. */
  readonly more?: readonly string[];
}

/** Maximum rows; the others are summed in one. */
const MAX_ROWS = 12;

export interface BarsOptions {
  readonly columns?: readonly string[];
  /** Heading of the counts, if there are further columns. */
  readonly counted?: string;
  /** `more` of the sum row. */
  readonly restOf?: (rest: readonly Bar[]) => readonly string[];
  /** True keeps the order; otherwise the longest bar is first. */
  readonly isOrdered?: boolean;
}

/** A table of bars. The sum row has no bar, because it may exceed all others. Empty without bars. */
export function barTable(title: string, bars: readonly Bar[], options: BarsOptions = {}): string {
  if (bars.length === 0) return '';
  const { columns = [], counted = '', restOf, isOrdered = false } = options;
  const sorted = isOrdered ? bars : [...bars].sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
  const rest = isOrdered ? [] : sorted.slice(MAX_ROWS);
  const others: Bar[] =
    rest.length === 0
      ? []
      : [
          {
            name: `${rest.length} others`,
            count: rest.reduce((sum, { count }) => sum + count, 0),
            ...(restOf ? { more: restOf(rest) } : {}),
          },
        ];
  const first = isOrdered ? sorted : sorted.slice(0, MAX_ROWS);
  const maxCount = Math.max(...first.map(({ count }) => count));
  const head =
    columns.length === 0
      ? ''
      : `<thead><tr><th></th><th></th>${[counted, ...columns].map((name) => `<th class="number">${escaped(name)}</th>`).join('')}</tr></thead>`;
  const rows = [...first, ...others].map((each, index) => {
    const { name, count, more = [] } = each;
    const width = maxCount === 0 ? '0.0' : ((100 * count) / maxCount).toFixed(1);
    const bar = index < first.length ? `<span class="bar" style="width:${width}%"></span>` : '';
    const cells = more.map((text) => `<td class="number">${escaped(text)}</td>`).join('');
    return `<tr><th scope="row">${escaped(name).replaceAll('_', '_<wbr>')}</th><td>${bar}</td><td class="number">${formatCount(count)}</td>${cells}</tr>`;
  });
  return `<h3>${escaped(title)}</h3>\n<table class="bars">${head}<tbody>${rows.join('\n')}</tbody></table>`;
}
