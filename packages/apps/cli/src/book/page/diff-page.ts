import { distanceBands, type Move } from '@leeward/books';
import { wordOf } from '@leeward/terms';
import { formatCount } from '../../format-count.ts';
import { escaped } from '../../html/escaped.ts';
import { type Bar, barTable } from '../../page/bars.ts';
import { definitions, htmlPage, instantOf } from '../../page/html-page.ts';
import type { DiffReport, MovedSum } from '../diff-report.ts';

const words = (status: string) => wordOf('status', status);

/** A self-contained page. `shown` are the moves to list. */
export function diffPage(report: DiffReport, listedMoves: readonly Move[]): string {
  const { moved, rows, rejected } = report;
  const hasPremium = moved.premium !== undefined;
  const columns = hasPremium ? ['premium'] : [];
  const barOf = (name: string, { answers, premium }: MovedSum): Bar => ({
    name,
    count: answers,
    ...(premium === undefined ? {} : { more: [money(premium)] }),
  });
  const chart = (title: string, sums: Readonly<Record<string, MovedSum>>, nameOf = (key: string) => key) =>
    barTable(
      title,
      Object.entries(sums).map(([key, sum]) => barOf(nameOf(key), sum)),
      {
        columns,
        counted: 'answers',
        restOf: (rest) => (hasPremium ? [money(rest.reduce((sum, { name }) => sum + premiumOf(name), 0))] : []),
      },
    );
  /** By bar, for the sum of hidden rows. */
  const premiums = new Map<string, number>();
  for (const sums of [report.by_reason, report.by_state, report.by_county, report.by_policy_type, report.by_carrier])
    for (const [key, { premium = 0 }] of Object.entries(sums)) premiums.set(key, premium);
  for (const [key, { premium = 0 }] of Object.entries(report.by_state)) premiums.set(key.toUpperCase(), premium);
  const premiumOf = (name: string) => premiums.get(name) ?? 0;

  const evaluatedRows = rows - rejected;
  const share = evaluatedRows === 0 ? '0.0' : ((100 * moved.policies) / evaluatedRows).toFixed(1);
  const head = definitions([
    [
      'book',
      `${report.book.map(escaped).join(', ')}: ${formatCount(rows)} rows${rejected > 0 ? `, ${formatCount(rejected)} rejected` : ''}`,
    ],
    ['before', `<code>${escaped(report.old)}</code>`],
    ['after', `<code>${escaped(report.new)}</code>`],
    ['as of', escaped(instantOf(report.as_of))],
    [
      'carriers that differ',
      report.changed_carriers.length === 0 ? 'none' : escaped(report.changed_carriers.join(', ')),
    ],
  ]);
  const amount = moved.premium === undefined ? '' : `, with <strong>${money(moved.premium)}</strong> of premium`;
  const summary = `<p>Of ${formatCount(evaluatedRows)} policies <strong>${formatCount(moved.policies)}</strong> (${share} %) are answered differently by some carrier${amount}.</p>`;
  const missing =
    report.without_premium !== undefined && report.without_premium > 0
      ? `<p class="care">▲ ${formatCount(report.without_premium)} moved answers are of policies without a premium.</p>`
      : '';
  const sections =
    moved.answers === 0
      ? []
      : [
          '<h2>Who says what now</h2>',
          ...report.changed_carriers.map((key) => carrierMoves(report, key, barOf, columns)),
          '<h2>Why</h2>',
          chart('By reason', report.by_reason, (code) => wordOf('reason', code)),
          ruleTable(report),
          '<h2>Where, and which policies</h2>',
          chart('By state', report.by_state, (key) => key.toUpperCase()),
          chart('By county', report.by_county),
          chart('By policy type', report.by_policy_type),
          barTable(
            'By distance to the coast',
            distanceBands.flatMap((band) => {
              const sum = report.by_distance_band[band];
              return sum ? [barOf(band, sum)] : [];
            }),
            { columns, counted: 'answers', isOrdered: true },
          ),
          movesTable(listedMoves, moved.answers, hasPremium),
        ];
  return htmlPage(
    'Effect of a rule change on a book',
    `<header><h1>Effect of a rule change on a book</h1></header>\n${head}\n${summary}\n${missing}\n${sections.join('\n')}`,
  );
}

function carrierMoves(
  { moves }: DiffReport,
  key: string,
  barOf: (name: string, sum: MovedSum) => Bar,
  columns: readonly string[],
): string {
  const own = moves.filter((move) => move.carrier_key === key);
  if (own.length === 0)
    return `<h3>${escaped(key)}</h3><p class="soft">Its rules differ, and no policy of this book moves.</p>`;
  return barTable(
    key,
    own.map((move) => barOf(`${words(move.before)} → ${words(move.after)}`, move)),
    { columns, counted: 'answers' },
  );
}

const MAX_RULES = 30;

function ruleTable({ by_rule: rules }: DiffReport): string {
  const hasPremium = rules.some(({ premium }) => premium !== undefined);
  const rows = rules.slice(0, MAX_RULES).map(({ carrier_key: key, rule_id: id, code, answers, premium }) => {
    const what = id === null ? wordOf('reason', code) : `<code>${escaped(id)}</code>`;
    const amount = premium === undefined ? '' : `<td class="number">${money(premium)}</td>`;
    return `<tr><th scope="row">${escaped(key)}</th><td>${what}</td><td class="number">${formatCount(answers)}</td>${amount}</tr>`;
  });
  const more =
    rules.length > MAX_RULES ? `<p class="soft">… and ${formatCount(rules.length - MAX_RULES)} more.</p>` : '';
  const head = `<thead><tr><th>carrier</th><th>edit</th><th class="number">answers</th>${hasPremium ? '<th class="number">premium</th>' : ''}</tr></thead>`;
  return `<h3>By edited rule</h3>\n<div class="wide"><table>${head}<tbody>${rows.join('\n')}</tbody></table></div>${more}`;
}

/** Maximum edits per move. */
const MAX_EDITS = 3;

function movesTable(listedMoves: readonly Move[], all: number, hasPremium: boolean): string {
  const rows = listedMoves.map((move) => {
    const edits = [...new Set(move.reasons.map(({ ruleId, code }) => (ruleId === '' ? code : ruleId)))];
    const more = edits.length > MAX_EDITS ? ` and ${edits.length - MAX_EDITS} more` : '';
    const reasons = `${edits.slice(0, MAX_EDITS).join(', ')}${more}`;
    const amount = hasPremium ? `<td class="number">${move.premium === undefined ? '' : money(move.premium)}</td>` : '';
    return `<tr><th scope="row" class="number">${formatCount(move.row)}</th><td>${escaped(move.carrierKey)}</td><td>${escaped(move.policyType)}</td><td>${escaped(move.county === 'unknown' ? move.state.toUpperCase() : move.county)}</td><td>${words(move.before)} → ${words(move.after)}</td><td>${escaped(reasons)}</td>${amount}</tr>`;
  });
  const head = `<thead><tr><th class="number">row</th><th>carrier</th><th>type</th><th>place</th><th>move</th><th>edit</th>${hasPremium ? '<th class="number">premium</th>' : ''}</tr></thead>`;
  const title =
    listedMoves.length < all
      ? `The first ${formatCount(listedMoves.length)} of ${formatCount(all)} moves`
      : 'All moves';
  return `<h2>${title}</h2>\n<div class="wide"><table>${head}<tbody>${rows.join('\n')}</tbody></table></div>`;
}

/** An amount without a unit. */
function money(amount: number): string {
  return formatCount(Math.round(amount));
}
