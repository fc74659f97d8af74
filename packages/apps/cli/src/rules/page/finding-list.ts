import type { ExampleHome } from '@leeward/authoring';
import { homeVocabulary } from '@leeward/engine';
import { labelOf, writeValue } from '@leeward/engine/vocabulary';
import { escaped } from '../../html/escaped.ts';
import type { LocatedFinding } from '../located-finding.ts';

const marks = {
  fault: { words: '✕ fault', tone: 'bad' },
  warning: { words: '▲ warning', tone: 'care' },
  note: { words: 'note', tone: 'soft' },
} as const;

/** Findings as a list: description, place, explanation, and an example home. */
export function findingList(findings: readonly LocatedFinding[]): string {
  return `<ul>${findings.map(itemOf).join('\n')}</ul>`;
}

function itemOf({ severity, code, line, message, witness: example, allowed }: LocatedFinding): string {
  const { words, tone } = marks[severity];
  const why = allowed === undefined ? '' : `<p><strong>Allowed:</strong> ${escaped(allowed)}</p>`;
  const home =
    example === undefined ? '' : `<p class="soft small">A home that shows it: ${escaped(homeInWords(example))}.</p>`;
  return `<li><p><span class="${tone}">${words}</span> <code>${escaped(code)}</code> <span class="soft">line ${line}</span></p><p>${escaped(message)}</p>${why}${home}</li>`;
}

/** `state TX; dwelling coverage A $350,000`: the known fields of a home. */
function homeInWords(home: ExampleHome): string {
  return Object.entries(home)
    .map(([field, value]) => `${labelOf(field, homeVocabulary)} ${writeValue(field, value, homeVocabulary)}`)
    .join('; ');
}
