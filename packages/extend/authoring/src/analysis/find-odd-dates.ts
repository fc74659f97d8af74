import { covers, isEmpty, type Moratorium } from '@leeward/engine/compiled';
import { arrayOf, isObject, writeTime } from '@leeward/terms';
import { wholeBox } from '../finding/boxes.ts';
import type { ExampleHome } from '../finding/finding.ts';
import { type AnalysisContext, confirmed } from './analysis-context.ts';

const DAY_MS = 86_400_000;
/** A later start is probably a mistyped year. */
const MAX_DAYS_AHEAD = 366;
/** A shorter window is probably a mistake. */
const MIN_DAYS_IN_FORCE = 7;

export function findOddDates(context: AnalysisContext): void {
  findOddWindow(context);
  for (const [index, moratorium] of context.ruleSet.moratoria.entries()) {
    const path = `/moratoria/${index}`;
    if (moratorium.untilMs <= context.at.asOfMs) {
      reportPast(context, moratorium, path);
      continue;
    }
    if (moratorium.untilMs === Number.POSITIVE_INFINITY) {
      context.findings.push({
        code: 'moratorium_without_end',
        path,
        // `"until": null` is intentional.
        severity: isEndWritten(context.ruleSet.file, index) ? 'note' : 'warning',
        message: `The moratorium "${moratorium.id}" has no end: it stops binding until this file is changed. Add "until".`,
      });
    }
    if (moratorium.places.states === undefined) {
      context.findings.push({
        code: 'moratorium_everywhere',
        path,
        severity: 'warning',
        message: `The moratorium "${moratorium.id}" has no places: it stops binding in every state. Add "states" or "counties".`,
      });
    }
  }
}

function isEndWritten(file: unknown, index: number): boolean {
  const moratorium = arrayOf(isObject(file) ? file['moratoria'] : undefined)[index];
  return isObject(moratorium) && moratorium['until'] === null;
}

function findOddWindow({ ruleSet, findings, askedAt }: AnalysisContext): void {
  const { effectiveFrom, effectiveUntil } = ruleSet;
  const from = Date.parse(effectiveFrom);
  const daysAhead = Math.round((from - Date.parse(askedAt.effectiveDate)) / DAY_MS);
  if (daysAhead > MAX_DAYS_AHEAD) {
    findings.push({
      code: 'effective_far_ahead',
      path: '/effective/from',
      severity: 'warning',
      message: `This version takes effect on ${effectiveFrom}, ${daysAhead.toLocaleString('en-US')} days from ${askedAt.effectiveDate}. Check the year.`,
    });
  }
  if (effectiveUntil === undefined) return;
  const days = Math.round((Date.parse(effectiveUntil) - from) / DAY_MS);
  if (days < MIN_DAYS_IN_FORCE) {
    findings.push({
      code: 'short_window',
      path: '/effective/until',
      severity: 'warning',
      message: `This version is in force for ${days} day${days === 1 ? '' : 's'}: from ${effectiveFrom} until ${effectiveUntil}, which is not included.`,
    });
  }
}

function reportPast(context: AnalysisContext, { id, untilMs, places, policyTypes }: Moratorium, path: string): void {
  let example: ExampleHome | undefined;
  const programs = context.programs.filter(({ policyType }) => policyTypes?.includes(policyType) ?? true);
  for (const program of programs) {
    const cells = program.place.cellsWhere((place) => covers(places, place));
    if (isEmpty(cells)) continue;
    example ??= confirmed(context, program, wholeBox(program, cells), ({ status }) => status !== 'not_offered');
  }
  context.findings.push({
    code: 'moratorium_over',
    path: `${path}/until`,
    severity: 'note',
    message: `The moratorium "${id}" ended at ${writeTime(untilMs)} and no longer stops any home: remove it, or correct "until".`,
    policyTypes: programs.map(({ policyType }) => policyType),
    ...(example ? { example } : {}),
  });
}
