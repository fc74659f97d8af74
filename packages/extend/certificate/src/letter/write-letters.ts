import { escaped } from '@leeward/http/html';
import { wordOf, writeTime, writeWord } from '@leeward/terms';
import type { CertificateContent, CertificateVerdict, DeclinationLetter } from '../content/certificate-schema.ts';
import { homeText } from '../content/home-text.ts';
import { readTemplate, type TemplateNames, type TemplateValues } from './template.ts';
import { usualHtmlTemplate, usualTextTemplate } from './usual-templates.ts';

/** Templates of letters. */
export interface LetterTemplates {
  /** Plain text or Markdown. @default a letter in English */
  readonly text?: string | undefined;
  /** HTML; values are escaped. @default a page in English */
  readonly html?: string | undefined;
}

/** Writes the letters of a certificate. */
export type WriteLetters = (content: CertificateContent) => readonly DeclinationLetter[];

/** The names that a template can use. */
const names: TemplateNames = {
  issuer: 'text',
  date: 'text',
  prepared_for: 'text',
  reference: 'text',
  carrier: 'text',
  policy_type: 'text',
  home: 'text',
  effective_date: 'text',
  as_of: 'text',
  reasons: {
    number: 'text',
    message: 'text',
    code: 'text',
    rule_id: 'text',
    ends: 'text',
    tests: { text: 'text', label: 'text', value: 'text', limit: 'text', source: 'text' },
    distances: { text: 'text' },
  },
  ways: { number: 'text', lead: 'text', becomes: 'text', changes: { text: 'text', label: 'text' } },
  no_way: 'text',
  rule_set_version: 'text',
  rule_set_sha256: 'text',
  certificate_id: 'text',
  notice: 'text',
};

/**
 * Reads the templates of letters of declination. The function that it returns writes one letter for each carrier that declined.
 *
 * @throws {TemplateError} with the line of its fault
 *
 * @example
 * const writeLetters = createLetters({ text: 'Dear {{prepared_for}}, {{carrier}} declines:{{#reasons}} {{message}}{{/reasons}}' });
 * for (const { carrier, text } of writeLetters(certificate.content)) send(carrier, text);
 */
export function createLetters({ text, html }: LetterTemplates = {}): WriteLetters {
  const asText = readTemplate(text ?? usualTextTemplate, names, (value) => value);
  const asHtml = readTemplate(html ?? usualHtmlTemplate, names, escaped);
  return (content) =>
    content.verdicts
      .filter(({ status }) => status === 'ineligible')
      .map((verdict) => {
        const values = valuesOf(content, verdict);
        const { carrier_key, carrier, policy_type } = verdict;
        return { carrier_key, carrier, policy_type, text: asText(values), html: asHtml(values) };
      });
}

function valuesOf(content: CertificateContent, verdict: CertificateVerdict): TemplateValues {
  const { would_change, rule_set, carrier } = verdict;
  const ways = would_change?.ways ?? [];
  return {
    issuer: content.issuer ?? '',
    date: longDate(content.issued_at),
    prepared_for: content.prepared_for ?? '',
    reference: content.reference ?? '',
    carrier,
    policy_type: writeWord(verdict.policy_type),
    home: homeText(content),
    effective_date: longDate(content.effective_date),
    as_of: writeTime(content.as_of),
    reasons: verdict.decided_by
      .filter(({ truth }) => truth === 'true')
      .map((rule, index) => ({
        number: String(index + 1),
        message: rule.message,
        code: rule.code,
        rule_id: rule.rule_id,
        ends: endsText(rule),
        tests: rule.tests.map(({ text, label, value_text, limit_text, source }) => ({
          text,
          label,
          value: value_text,
          limit: limit_text,
          source: source.text,
        })),
        distances: (rule.distances ?? []).map((text) => ({ text })),
      })),
    ways: ways.map(({ becomes, changes }, index) => ({
      number: String(index + 1),
      lead: `${index === 0 ? 'The answer would be' : 'Or it would be'} "${wordOf('status', becomes)}" with ${changes.length === 1 ? 'this change' : 'these changes together'}:`,
      becomes: wordOf('status', becomes),
      changes: changes.map(({ text, label }) => ({ text, label })),
    })),
    no_way: noWayText(verdict),
    rule_set_version: rule_set.version,
    rule_set_sha256: rule_set.sha256,
    certificate_id: content.certificate_id,
    notice: content.notice,
  };
}

function endsText({ kind, ends_at }: CertificateVerdict['decided_by'][number]): string {
  if (kind !== 'moratorium') return '';
  return ends_at
    ? `This is a moratorium; it ends on ${writeTime(ends_at)}.`
    : 'This is a moratorium; its end is not known.';
}

function noWayText({ carrier, would_change }: CertificateVerdict): string {
  if (would_change?.outcome === 'none_helps') return `No change to the home would make ${carrier} accept it.`;
  return would_change?.note ?? '';
}

/** `November 27, 2026`, from a date or an instant. */
function longDate(text: string): string {
  const date = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return date.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
}
