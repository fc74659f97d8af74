import { hash } from 'node:crypto';
import type { ComparedLine, ComparedRate, CoverageValue, QuoteComparison } from '@leeward/quotes';
import { type Content, Html, html } from '../docs-page/html.ts';

/** A4 and Letter hold three rates next to their names. */
const MAX_COLUMNS = 3;

const style = `:root{color-scheme:light dark;--ink:light-dark(#1c2430,#e6eaf0);--soft:light-dark(#5a6675,#9aa7b6);--line:light-dark(#d5dbe3,#3a4552);--paper:light-dark(#fff,#14181e);--flag:light-dark(#a3360b,#ff9d73)}
*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.45 system-ui,sans-serif}
main{max-width:60rem;margin:0 auto;padding:2rem 1.25rem}header{border-bottom:2px solid var(--ink);margin-bottom:1.5rem}
h1{font-size:1.6rem;margin:0 0 .25rem}h2{font-size:1.15rem;margin:1.75rem 0 .5rem}p{margin:0 0 .75rem}.soft{color:var(--soft)}
.wide{overflow-x:auto}table{border-collapse:separate;border-spacing:0;width:100%;table-layout:fixed;margin-bottom:1rem}
th,td{border-bottom:1px solid var(--line);padding:.4rem .5rem;vertical-align:top;text-align:left;overflow-wrap:anywhere}td,thead th+th{text-align:right}.c2{min-width:26rem}.c3{min-width:34rem}
th:first-child{position:sticky;left:0;background:var(--paper)}
tbody th{font-weight:400;color:var(--soft)}.total th,.total td{font-weight:700;color:var(--ink);font-size:1.1rem}.flag{color:var(--flag)}.section th{padding-top:.6rem;font-weight:700;color:var(--ink)}
footer{border-top:1px solid var(--line);margin-top:2rem;padding-top:.75rem;font-size:.85em}
@media print{th:first-child{position:static}:root{color-scheme:light}body{font-size:11.5px}h1{font-size:1.4rem}h2{margin-top:1rem}th,td{padding:.2rem .35rem}main{max-width:none;padding:0}.wide{overflow:visible}table{min-width:0!important;break-inside:avoid}h2{break-after:avoid}@page{margin:16mm}}`;

/** The style of proposals in a content security policy. */
export const proposalStyleSource = `'sha256-${hash('sha256', style, 'base64')}'`;
const policy = `default-src 'none'; style-src ${proposalStyleSource}; base-uri 'none'; form-action 'none'`;

/** A page to print, without scripts, links or outside content. @param isChosen Rates to propose. */
export function proposalPage(
  comparison: QuoteComparison,
  agencyName: string,
  isChosen: (rateId: string) => boolean,
): { readonly html: string; readonly policy: string } {
  const { insured } = comparison;
  const columns = comparison.rates.map((rate, index) => ({ rate, index })).filter(({ rate }) => isChosen(rate.id));
  const forms = [...new Set(columns.map(({ rate }) => rate.form_type))].toSorted();
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}"><title>Insurance proposal, ${agencyName}</title>
<style>${new Html(style)}</style></head><body><main>
<header><h1>${agencyName}</h1><p>Insurance proposal${insured === null ? undefined : html` for <strong>${insured.name}</strong>, ${insured.address}`}</p>
<p class="soft">${columns[0] === undefined ? '' : `Policy from ${dateText(columns[0].rate.effective_date)}, for one year. `}Quote ${comparison.service_quote_id}</p></header>
${columns.length === 0 && html`<p>No carrier has offered a premium.</p>`}
${forms.map((form) =>
  formSection(
    form,
    columns.filter(({ rate }) => rate.form_type === form),
    comparison.lines,
  ),
)}
<footer class="soft"><p>Indications are estimates. Quoted premiums depend on the listed conditions. Coverage begins only when the carrier binds it; its policy states all terms.</p></footer>
</main></body></html>
`;
  return { html: page.text, policy: `${policy}; frame-ancestors 'none'` };
}

function formSection(form: string, columns: readonly Column[], lines: readonly ComparedLine[]): Html {
  const blocks = Array.from({ length: Math.ceil(columns.length / MAX_COLUMNS) }, (_, block) =>
    columns.slice(block * MAX_COLUMNS, (block + 1) * MAX_COLUMNS),
  );
  return html`<section><h2>${form.toUpperCase()}</h2>${blocks.map((block) => rateTable(block, lines))}</section>`;
}

type Column = { readonly rate: ComparedRate; readonly index: number };

const sections: readonly (readonly [ComparedLine['section'], string])[] = [
  ['coverages', 'Coverages'],
  ['deductibles', 'Deductibles'],
  ['endorsements', 'Options'],
];

const commitments = { indication: 'Indication', quoted: 'Quoted', bindable: 'Ready to bind' } as const;

function rateTable(block: readonly Column[], lines: readonly ComparedLine[]): Html {
  const row = (name: string, cellOf: (rate: ComparedRate, index: number) => Content, kind = '') =>
    html`<tr class="${kind}"><th scope="row">${name}</th>${block.map(({ rate, index }) => html`<td>${orDash(cellOf(rate, index))}</td>`)}</tr>`;
  const listed = lines.filter(({ values }) => block.some(({ index }) => values[index]));
  const sectionRows = sections.flatMap(([section, title]) => {
    const own = listed.filter((line) => line.section === section);
    return own.length === 0
      ? []
      : [
          html`<tr class="section"><th scope="colgroup" colspan="${block.length + 1}">${title}</th></tr>`,
          ...own.map(({ name, values }) => row(name, (_, index) => valueText(values[index]))),
        ];
  });
  const rowIfAny = (name: string, cellOf: (rate: ComparedRate) => readonly Html[]) =>
    block.some(({ rate }) => cellOf(rate).length > 0) && row(name, cellOf);
  return html`<div class="wide" role="region" tabindex="0" aria-label="Rates"><table class="c${block.length}"><thead><tr><th scope="col"><span class="soft">Carrier</span></th>${block.map(({ rate }) => html`<th scope="col">${rate.carrier}</th>`)}</tr></thead><tbody>
${row('Total a year', ({ premium }) => dollars(premium), 'total')}
${row('Fees and taxes included', feesText)}
${row('Offer', ({ rate_type, outcome }) => `${rate_type ? commitments[rate_type] : ''}${outcome === 'referred' ? ', referred to underwriting' : ''}`)}
${row('Valid until', ({ expires_at }) => (expires_at === null ? '' : dateText(expires_at)))}
${row('Financial strength', ({ financial_strength: each }) => (each === null ? '' : `${each.rating} (${each.agency})`))}
${rowIfAny('Conditions', ({ subject_to }) => subject_to.map(({ message }) => html`<div>${message}</div>`))}
${rowIfAny('Carrier’s terms', ({ terms }) => terms.filter(({ result }) => result === 'violated').map(({ text }) => html`<div class="flag">Not met: ${text}</div>`))}
${sectionRows}
${row('Quote number', ({ carrier_quote_number }) => carrier_quote_number ?? undefined)}
</tbody></table></div>`;
}

function orDash(content: Content): Content {
  return !content || (Array.isArray(content) && content.length === 0) ? '–' : content;
}

function valueText(value: CoverageValue | null | undefined): string {
  if (!value) return '';
  const { amount, percent, percent_of, inclusion, settlement } = value;
  const base = percent_of === null || percent_of === 'dwelling' ? '' : ` of ${percent_of.replaceAll('_', ' ')}`;
  const paid = amount === null ? '' : dollars(amount.replace(/\.00$/, ''));
  const size = percent === null ? paid : `${percent} %${base}${paid && ` (${paid})`}`;
  const stated = inclusion === null || (inclusion === 'included' && size) ? '' : inclusion.replaceAll('_', ' ');
  const text = [size, stated, settlement === null ? '' : settlements[settlement]]
    .filter((part) => part !== '')
    .join(', ');
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

const settlements = {
  replacement_cost: 'replacement cost',
  actual_cash_value: 'actual cash value',
  schedule: 'payment schedule',
} as const;

function feesText({ premium, premium_before_fees: before }: ComparedRate): string {
  return before === null ? '' : dollars((Number(premium) - Number(before)).toFixed(2));
}

/** `December 6, 2026`, from a date or an instant. */
function dateText(text: string): string {
  return new Date(`${text.slice(0, 10)}T00:00:00Z`).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
}

function dollars(amount: string): string {
  return `$${amount.replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ',')}`;
}
