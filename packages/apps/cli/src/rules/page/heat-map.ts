import type { Coverage, RuleCoverage } from '@leeward/authoring';
import type { Rule, RuleSet } from '@leeward/engine';
import { boundsOf, describeTerm, writtenRules } from '@leeward/engine/compiled';
import { formatCount } from '../../format-count.ts';
import { escaped } from '../../html/escaped.ts';
import { htmlPage } from '../../page/html-page.ts';

const SHADES = 4;

/**
 * Coverage of rules by cases: one row per rule, shaded by the number of cases in which it holds, with a square for each
 * side of its limits.
 */
export function heatMap(ruleSet: RuleSet, coverage: Coverage): string {
  const byRule = new Map(coverage.byRule.map((each) => [each.ruleId, each]));
  const maxCases = Math.max(1, ...coverage.byRule.flatMap(({ holds, doesNotHold }) => [holds, doesNotHold]));
  const groups = [
    { title: 'Rules of every program', rules: writtenRules(ruleSet.rules) },
    ...ruleSet.programs.map(({ id, rules }) => ({ title: `Rules of ${id}`, rules: writtenRules(rules) })),
  ].filter(({ rules }) => rules.length > 0);
  const tables = groups.map(({ title, rules }) => {
    const rows = rules.map(({ id, outcome, code, message, demands }) => {
      const ruleCoverage = byRule.get(id)!;
      return `<tr><th scope="row"><code>${escaped(id)}</code> <span class="soft">${outcome}, ${escaped(code)}</span><br>${escaped(message)}${termsOf(demands)}</th>${shaded(ruleCoverage.holds, maxCases)}${shaded(ruleCoverage.doesNotHold, maxCases)}${sidesOf(ruleCoverage)}</tr>`;
    });
    return `<h3>${escaped(title)}</h3>
<table class="heat"><thead><tr><th>rule</th><th class="number">holds in</th><th class="number">does not</th><th class="limits">sides of limits</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table>`;
  });
  return `<p>${formatCount(coverage.rules.reached)} of ${formatCount(coverage.rules.all)} rules hold in a case; ${formatCount(coverage.borders.reached)} of ${formatCount(coverage.borders.all)} sides of limits are reached by a case in which only that limit decides.</p>
<p class="soft small">Numbers are cases; the stronger the shade, the more. ■ a side of a limit that a case reaches, □ one that none does.</p>
${tables.join('\n')}`;
}

/** The terms of an offer: for a table, the bounds of all steps. */
function termsOf(demands: Rule['demands'] = []): string {
  const texts = new Set(demands.map(({ term, bound }) => describeTerm(term, boundsOf(bound))));
  return texts.size === 0 ? '' : `<br><span class="soft">${escaped([...texts].join('; '))}</span>`;
}

function shaded(cases: number, maxCases: number): string {
  const shade = cases === 0 ? 0 : Math.ceil((SHADES * Math.log1p(cases)) / Math.log1p(maxCases));
  return `<td class="number heat${shade}">${cases === 0 ? '<span class="bad">none</span>' : formatCount(cases)}</td>`;
}

function sidesOf({ sides }: RuleCoverage): string {
  if (sides.length === 0) return '<td class="limits soft">no limit</td>';
  const squares = sides.map(
    ({ words, isReached }) =>
      `<span title="${escaped(words)}${isReached ? '' : ': no case'}">${isReached ? '■' : '□'}</span>`,
  );
  const reached = sides.filter(({ isReached }) => isReached).length;
  return `<td class="limits"><span class="sides" aria-hidden="true">${squares.join('')}</span><br><span class="soft small">${reached} of ${sides.length}</span></td>`;
}

/** The coverage of one or more rule sets as a self-contained page. */
export function heatMapPage(
  parts: readonly { readonly name: string; readonly ruleSet: RuleSet; readonly coverage: Coverage }[],
): string {
  const sections = parts.map(({ name, ruleSet, coverage }) => {
    return `<header><h1>${escaped(ruleSet.carrierName)}</h1><p class="soft">What the cases of version ${escaped(ruleSet.version)} reach (${escaped(name)})</p></header>
${heatMap(ruleSet, coverage)}`;
  });
  const title =
    parts.length === 1 ? `${parts[0]!.ruleSet.carrierName}: coverage of the cases` : 'Coverage of the cases';
  return htmlPage(title, sections.join('\n<hr>\n'));
}
