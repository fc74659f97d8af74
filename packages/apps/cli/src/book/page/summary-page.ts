import type { StatusCounts } from '@leeward/books';
import { homeVocabulary } from '@leeward/engine';
import { labelOf } from '@leeward/engine/vocabulary';
import { wordOf } from '@leeward/terms';
import { formatCount } from '../../format-count.ts';
import { escaped } from '../../html/escaped.ts';
import { barTable } from '../../page/bars.ts';
import { definitions, htmlPage, instantOf } from '../../page/html-page.ts';
import { type BookReport, describeDates, describeSample } from '../book-report.ts';

const statuses = ['eligible', 'referral', 'needs_information', 'ineligible'] as const;
const words = (code: string) => wordOf('status', code);
const reason = (code: string) => wordOf('reason', code);

/** A self-contained page. Equal books give equal bytes. */
export function summaryPage(report: BookReport, book: readonly string[]): string {
  const { rows, rejected, carriers } = report;
  const head = definitions([
    ['book', escaped(book.join(', '))],
    ['as of', escaped(instantOf(report.as_of))],
    ['effective', escaped(describeDates(report))],
    ['policies', `${formatCount(rows - rejected)} evaluated for ${formatCount(carriers.length)} carriers`],
  ]);
  const bad =
    rejected === 0
      ? ''
      : `<p class="care">▲ ${formatCount(rejected)} of ${formatCount(rows)} rows were rejected; nothing is known of them.</p>`;
  const key = `<p class="key">${statuses.map((status) => `<span><i class="${status}"></i>${words(status)}</span>`).join(' ')}</p>`;
  const byState = Object.entries(report.by_state).map(([code, counts]) => [code.toUpperCase(), counts] as const);
  const questions = Object.entries(report.open_questions.would_settle);
  const warnings = Object.entries(report.warnings);
  const faults = Object.entries(report.faults);
  const sections = [
    '<h2>What carriers say</h2>',
    '<p class="soft">Of the policies that a carrier offers where they are, by type and state.</p>',
    key,
    stacks(
      'Policies by carrier',
      carriers.map(({ carrier_key: name, counts }) => [name, counts] as const),
    ),
    '<h2>Where, and which policies</h2>',
    '<p class="soft">Answers: a policy counts once for each carrier that offers it.</p>',
    stacks('By policy type', Object.entries(report.by_policy_type)),
    stacks('By state', byState),
    ...(questions.length > 0
      ? [
          '<h2>Missing fields</h2>',
          barTable(
            `Answers that a field alone would settle, ${describeSample(report)}`,
            questions.map(([field, count]) => ({ name: labelOf(field, homeVocabulary), count })),
          ),
        ]
      : []),
    ...(report.by_reason
      ? [
          '<h2>Why carriers decline</h2>',
          barTable(
            'Answers by reason; one with two reasons counts for both',
            Object.entries(report.by_reason).map(([code, count]) => ({ name: reason(code), count })),
          ),
        ]
      : []),
    ...(warnings.length + faults.length > 0
      ? [
          '<h2>What to look at in the book</h2>',
          barTable(
            'Rejected rows by fault',
            faults.map(([name, count]) => ({ name: reason(name.replace(/^\//, '')), count })),
          ),
          barTable(
            'Policies by warning',
            warnings.map(([code, count]) => ({ name: reason(code), count })),
          ),
        ]
      : []),
  ];
  return htmlPage(
    'Answers of carriers for a book',
    `<header><h1>Answers of carriers for a book</h1></header>\n${head}\n${bad}\n${sections.join('\n')}`,
  );
}

/** One stacked bar per line, as shares of offered policies. */
function stacks(title: string, lines: readonly (readonly [string, StatusCounts])[]): string {
  const rows = lines.map(([name, counts]) => {
    const offered = statuses.reduce((sum, status) => sum + counts[status], 0);
    const shareOf = (status: (typeof statuses)[number]) => (offered === 0 ? 0 : (100 * counts[status]) / offered);
    const parts = statuses
      .filter((status) => counts[status] > 0)
      .map((status) => {
        const title = `${words(status)}: ${formatCount(counts[status])}`;
        return `<span class="${status}" style="width:${shareOf(status).toFixed(2)}%" title="${title}"></span>`;
      });
    const share = (status: (typeof statuses)[number]) =>
      `<td class="number">${offered === 0 ? '' : `${shareOf(status).toFixed(1)} %`}</td>`;
    const breakable = escaped(name).replaceAll('_', '_<wbr>');
    return `<tr><th scope="row">${breakable}</th><td><span class="stack">${parts.join('')}</span></td><td class="number">${formatCount(offered)}</td>${share('eligible')}${share('ineligible')}</tr>`;
  });
  const head =
    '<thead><tr><th></th><th></th><th class="number">offered</th><th class="number">eligible</th><th class="number">declined</th></tr></thead>';
  return `<h3>${escaped(title)}</h3>\n<table class="bars stacks">${head}<tbody>${rows.join('\n')}</tbody></table>`;
}
