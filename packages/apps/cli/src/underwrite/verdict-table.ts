import type { WireDecision, WireTierVerdict, WireVerdict } from '@leeward/http';
import { createColors } from 'picocolors';
import { fittingTable } from '../table/fitting-table.ts';

export interface TableOptions {
  readonly columns: number;
  readonly inColor: boolean;
  readonly notOffered: readonly string[];
}

const statusWords = {
  eligible: 'eligible',
  referral: 'referral',
  needs_information: 'needs information',
  ineligible: 'ineligible',
} as const;

/** One row per carrier, best first, with missing fields and reasons. */
export function verdictTable(decision: WireDecision, { columns, inColor, notOffered }: TableOptions): string {
  const colors = createColors(inColor);
  const paint = {
    eligible: colors.green,
    referral: colors.yellow,
    needs_information: colors.cyan,
    ineligible: colors.red,
  };
  const verdicts = [...decision.carriers, ...decision.declined];
  const lines: string[] = [];
  if (verdicts.length > 0) {
    const table = fittingTable(
      {
        head: ['status', 'carrier', 'type', 'why and what is needed'],
        rows: verdicts.map((verdict) => [
          statusWords[verdict.status],
          verdict.carrier,
          verdict.policy_type,
          explanation(verdict),
        ]),
        paint: (line, row, column) => (column === 0 ? paint[verdicts[row]!.status](line) : line),
      },
      { columns, inColor },
    );
    lines.push(table, '');
  }
  const { counts, distances } = decision;
  lines.push(`As of ${decision.as_of}, effective ${decision.effective_date}.`);
  for (const { text } of distances?.facts ?? []) lines.push(text);
  lines.push(
    `${counts.eligible} eligible, ${counts.referral} referral, ${counts.needs_information} need information, ${counts.ineligible} ineligible, ${counts.not_offered} not offered.`,
  );
  for (const sentence of notOffered) lines.push(wrapped(sentence, columns));
  if (decision.next_questions.length > 0) {
    lines.push(`Ask next: ${decision.next_questions.map(question).join(', ')}.`);
  }
  for (const { path, message } of decision.warnings)
    lines.push(`${colors.yellow('Note')} on ${path.slice(1)}: ${message}`);
  lines.push(decision.notice);
  return `${lines.join('\n')}\n`;
}

function wrapped(text: string, columns: number): string {
  return text.replaceAll(new RegExp(`(.{1,${columns}})(?: +|$)`, 'g'), '$1\n').trimEnd();
}

function explanation(verdict: WireVerdict): string {
  const parts = [...tiersOf(verdict), ...verdict.reasons.map((reason) => `- ${reason.message}`)];
  for (const requirement of verdict.requirements) parts.push(`+ ${requirement.message}`);
  for (const requirement of verdict.possible_requirements) parts.push(`+ perhaps: ${requirement.message}`);
  for (const { text } of Object.values(verdict.terms ?? {})) parts.push(`= ${text}`);
  for (const { text, fields } of Object.values(verdict.possible_terms ?? {}))
    parts.push(`= perhaps: ${text} (depends on ${fields.join(', ')})`);
  for (const note of verdict.notes) parts.push(`  ${note.message}`);
  if (verdict.missing_fields.length > 0) parts.push(`? needs ${verdict.missing_fields.join(', ')}`);
  return parts.join('\n');
}

function tiersOf({ tier, possible_tiers = [], better_tiers = [], other_tiers = [] }: WireVerdict): string[] {
  const why = ({ reasons, missing_fields = [] }: WireTierVerdict) =>
    [
      ...reasons.map(({ message }) => message),
      ...(missing_fields.length > 0 ? [`depends on ${missing_fields.join(', ')}`] : []),
    ].join(' ');
  return [
    ...(tier ? [`* tier: ${nameOfTier(tier)}`] : []),
    ...possible_tiers.map((each) => {
      const { missing_fields = [] } = each;
      const depends = missing_fields.length > 0 ? ` (depends on ${missing_fields.join(', ')})` : '';
      return `* perhaps tier: ${nameOfTier(each)}${depends}`;
    }),
    ...[...better_tiers, ...other_tiers].map((each) => `* not ${nameOfTier(each)}: ${why(each)}`),
  ];
}

function nameOfTier({ name, program_id }: { readonly name?: string | undefined; readonly program_id: string }): string {
  return name ?? program_id;
}

function question({ field, would_settle }: WireDecision['next_questions'][number]): string {
  return would_settle === 0 ? field : `${field} (settles ${would_settle})`;
}
