import type { AskedAt, Coverage } from '@leeward/authoring';
import type { RuleSet } from '@leeward/engine';
import { writtenRules } from '@leeward/engine/compiled';
import { formatCount } from '../../format-count.ts';
import { escaped } from '../../html/escaped.ts';
import { definitions, htmlPage, instantOf } from '../../page/html-page.ts';
import type { LocatedFinding } from '../located-finding.ts';
import { type ComparedVersions, changeSections } from './diff-page.ts';
import { findingList } from './finding-list.ts';
import { heatMap } from './heat-map.ts';

/** All that a person must know to sign a rule set. */
export interface SignOff {
  readonly ruleSet: RuleSet;
  readonly at: AskedAt;
  /** Cases that were run, and what was wrong with them. */
  readonly cases: { readonly run: number; readonly findings: readonly LocatedFinding[] };
  readonly analysis: readonly LocatedFinding[];
  readonly coverage: Coverage;
  /** Changes from the previous version, if given. */
  readonly compared: ComparedVersions | undefined;
}

/** Reasons against signing; empty if there are none. */
export function openPoints({ cases, analysis }: Pick<SignOff, 'cases' | 'analysis'>): string[] {
  const failing = cases.findings.filter(({ severity }) => severity === 'fault').length;
  const unexplained = analysis.filter(({ severity, allowed }) => severity !== 'note' && allowed === undefined).length;
  return [
    ...(cases.run === 0 ? ['there are no cases'] : []),
    ...(failing === 0
      ? []
      : [`${formatCount(failing)} ${failing === 1 ? 'expectation of a case fails' : 'expectations of cases fail'}`]),
    ...(unexplained === 0
      ? []
      : [`${formatCount(unexplained)} ${unexplained === 1 ? 'finding is' : 'findings are'} not explained`]),
  ];
}

/** The approval report: one printable page. Equal inputs give equal bytes. */
export function signOffPage(signOff: SignOff): string {
  const { ruleSet, at, cases, analysis, coverage, compared } = signOff;
  const open = openPoints(signOff);
  const state =
    open.length === 0
      ? '<p class="state good">✓ Nothing stands against signing.</p>'
      : `<p class="state bad">✕ Not ready to be signed: ${escaped(open.join('; '))}.</p>`;
  const weighed = analysis.filter(({ severity, allowed }) => severity !== 'note' && allowed === undefined);
  const allowed = analysis.filter((finding) => finding.allowed !== undefined);
  const notes = analysis.filter((finding) => finding.severity === 'note' && finding.allowed === undefined);
  const list = (title: string, findings: readonly LocatedFinding[], none: string) =>
    `<h2>${title}</h2>\n${findings.length === 0 ? `<p>${none}</p>` : findingList(findings)}`;
  const content = [
    `<header><h1>${escaped(ruleSet.carrierName)}</h1><p class="soft">Rule set ${escaped(ruleSet.version)}: approval report</p></header>`,
    state,
    identity(ruleSet, at, compared),
    programs(ruleSet),
    `<h2>Cases</h2>\n<p>${formatCount(cases.run)} cases were run.${cases.findings.length === 0 ? ' Each is answered as expected.' : ''}</p>${cases.findings.length === 0 ? '' : findingList(cases.findings)}`,
    list('Findings that are not explained', weighed, 'None.'),
    list('Findings that are allowed, and why', allowed, 'None.'),
    ...(compared ? [changeSections(compared)] : []),
    `<h2>Rules, and what the cases reach of them</h2>\n${heatMap(ruleSet, coverage)}`,
    list('Noted', notes, 'Nothing.'),
    '<section class="sign"><div>Proposed by</div><div>Date</div><div>Approved by (another person)</div><div>Date</div></section>',
    `<footer>Rule set ${ruleSet.sha256} (SHA-256 of its canonical JSON).</footer>`,
  ];
  return htmlPage(`${ruleSet.carrierName} ${ruleSet.version}: approval report`, content.join('\n'));
}

function identity(ruleSet: RuleSet, at: AskedAt, compared: ComparedVersions | undefined): string {
  const { carrierKey, effectiveFrom, effectiveUntil } = ruleSet;
  const until = effectiveUntil === undefined ? 'open' : `before ${escaped(effectiveUntil)}`;
  return definitions([
    ['carrier', `<code>${escaped(carrierKey)}</code>`],
    ['effective', `from ${escaped(effectiveFrom)}, ${until}`],
    ['content', `<code>${ruleSet.sha256}</code>`],
    [
      'compared with',
      compared && `${escaped(compared.older.version)} <code>${compared.older.sha256.slice(0, 12)}</code>`,
    ],
    ['examined as of', `${escaped(instantOf(at.asOf))}, ages on ${escaped(at.effectiveDate)}`],
  ]);
}

function programs({ programs: all, rules, moratoria }: RuleSet): string {
  const hasTiers = all.some(({ tier }) => tier);
  const rows = all.map(({ id, policyTypes, places, tier, rules: own }) => {
    const states = (places.states ?? []).map((state) => state.toUpperCase() + (places.counties.has(state) ? '*' : ''));
    return `<tr><th scope="row"><code>${escaped(id)}</code></th>${hasTiers ? `<td>${tier ? escaped(`${tier.rank} of ${tier.of}${tier.name ? `: ${tier.name}` : ''}`) : ''}</td>` : ''}<td>${escaped(policyTypes.join(', '))}</td><td>${escaped(states.join(', '))}</td><td class="number">${formatCount(writtenRules(own).length)}</td></tr>`;
  });
  const some = all.some(({ places }) => places.counties.size > 0) ? ' * some counties.' : '';
  const stops = moratoria.map(
    ({ id, message }) => `<li><p><code>${escaped(id)}</code></p><p>${escaped(message)}</p></li>`,
  );
  return `<h2>What it offers</h2>
<div class="wide"><table><thead><tr><th>program</th>${hasTiers ? '<th>tier</th>' : ''}<th>policy types</th><th>states</th><th class="number">rules of its own</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></div>
<p class="soft small">${formatCount(writtenRules(rules).length)} rules hold in every program.${some}</p>${stops.length === 0 ? '' : `\n<h3>Moratoria</h3><ul>${stops.join('\n')}</ul>`}`;
}
