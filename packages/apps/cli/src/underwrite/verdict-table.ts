import { homeVocabulary, type Vocabulary } from '@leeward/engine';
import { labelOf } from '@leeward/engine/vocabulary';
import type { WireDecision, WireTierVerdict, WireVerdict } from '@leeward/http';
import { capitalized, wordOf, writeTime, writeWord } from '@leeward/terms';
import { createColors } from 'picocolors';
import { fittingTable, wrapText } from '../table/fitting-table.ts';

export interface TableOptions {
  readonly columns: number;
  readonly inColor: boolean;
  readonly notOffered: readonly string[];
  /** @default homes */
  readonly vocabulary?: Vocabulary | undefined;
}

/** One row per carrier, best first, with missing fields and reasons. */
export function verdictTable(
  decision: WireDecision,
  { columns, inColor, notOffered, vocabulary = homeVocabulary }: TableOptions,
): string {
  const colors = createColors(inColor);
  const label: Labels = (name) => labelOf(name, vocabulary);
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
          wordOf('status', verdict.status),
          verdict.carrier,
          writeWord(verdict.policy_type),
          explanation(verdict, label),
        ]),
        paint: (line, row, column) => (column === 0 ? paint[verdicts[row]!.status](line) : line),
      },
      { columns, inColor },
    );
    lines.push(table, '');
  }
  const { counts, distances } = decision;
  const say = (text: string) => lines.push(wrapText(text, columns));
  say(`As of ${writeTime(decision.as_of)}, effective ${decision.effective_date}.`);
  for (const { text } of distances?.facts ?? []) say(capitalized(text));
  say(
    `${counts.eligible} eligible, ${counts.referral} referral, ${counts.needs_information} need information, ${counts.ineligible} ineligible, ${counts.not_offered} not offered.`,
  );
  for (const sentence of notOffered) say(sentence);
  if (decision.next_questions.length > 0) {
    say(`Ask next: ${decision.next_questions.map((each) => question(each, label)).join(', ')}.`);
  }
  for (const { path, message } of decision.warnings) {
    say(`Note${path === '' ? '' : ` on ${label(path)}`}: ${message}`);
  }
  say(decision.notice);
  return `${lines.join('\n')}\n`;
}

/** Words for the name of a field. */
type Labels = (name: string) => string;

function explanation(verdict: WireVerdict, label: Labels): string {
  const named = (fields: readonly string[]) => fields.map(label).join(', ');
  const parts = [...tiersOf(verdict, named), ...verdict.reasons.map((reason) => `- ${reason.message}`)];
  for (const requirement of verdict.requirements) parts.push(`+ ${requirement.message}`);
  for (const requirement of verdict.possible_requirements) parts.push(`+ perhaps: ${requirement.message}`);
  for (const { text } of Object.values(verdict.terms ?? {})) parts.push(`= ${text}`);
  for (const { text, fields } of Object.values(verdict.possible_terms ?? {}))
    parts.push(`= perhaps: ${text} (depends on ${named(fields)})`);
  for (const note of verdict.notes) parts.push(`  ${note.message}`);
  if (verdict.missing_fields.length > 0) parts.push(`? needs ${named(verdict.missing_fields)}`);
  return parts.join('\n');
}

function tiersOf(
  { tier, possible_tiers = [], better_tiers = [], other_tiers = [] }: WireVerdict,
  named: (fields: readonly string[]) => string,
): string[] {
  const why = ({ reasons, missing_fields = [] }: WireTierVerdict) =>
    [
      ...reasons.map(({ message }) => message),
      ...(missing_fields.length > 0 ? [`depends on ${named(missing_fields)}`] : []),
    ].join(' ');
  return [
    ...(tier ? [`* tier: ${nameOfTier(tier)}`] : []),
    ...possible_tiers.map((each) => {
      const { missing_fields = [] } = each;
      const depends = missing_fields.length > 0 ? ` (depends on ${named(missing_fields)})` : '';
      return `* perhaps tier: ${nameOfTier(each)}${depends}`;
    }),
    ...[...better_tiers, ...other_tiers].map((each) => `* not ${nameOfTier(each)}: ${why(each)}`),
  ];
}

function nameOfTier({ name, program_id }: { readonly name?: string | undefined; readonly program_id: string }): string {
  return name ?? program_id;
}

function question({ field, would_settle }: WireDecision['next_questions'][number], label: Labels): string {
  return would_settle === 0 ? label(field) : `${label(field)} (settles ${would_settle})`;
}
