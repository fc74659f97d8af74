import { type Evidence, evidenceSources, type Property } from '@leeward/engine';
import { type Box, type CompiledProgram, cellsOf, factIndex, has, readComputed } from '@leeward/engine/compiled';

/** Evidence whose ages and sources are in a box; undefined without tests of evidence. The caller verifies the home. */
export function evidenceInBox(program: CompiledProgram, box: Box, effectiveDate: string): Property['evidence'] {
  const { vocabulary } = program;
  const evidence: Record<string, Evidence> = {};
  for (const { subject, of } of evidenceFacts(program)) {
    const axes = program.axes.flatMap((entry, axis) => {
      if (entry?.computed?.kind !== 'evidence' || entry.computed.subject !== subject || entry.computed.of !== of)
        return [];
      return [{ axis: entry.axis, computed: entry.computed, cells: box[axis]! }];
    });
    const candidates: Evidence[] =
      of === 'source'
        ? [...evidenceSources, ...axes.flatMap(({ computed }) => computed.words ?? []), 'x_other'].map((source) => ({
            source,
          }))
        : axes.flatMap(({ axis, cells }) =>
            cellsOf(cells).map((cell) => ({ asOf: dateOf(axis.samples[cell] as number, effectiveDate) })),
          );
    const isInside = (own: Evidence) =>
      axes.every(({ axis, computed, cells }) => {
        const source = {
          vocabulary,
          effectiveDate,
          evidence: { [subject]: own },
          knowledgeOf: () => undefined,
          listOf: () => undefined,
        };
        const cell = axis.cellOf(readComputed(computed, source).min);
        return cell >= 0 && has(cells, cell);
      });
    const part = candidates.find(isInside);
    if (part) evidence[subject] = { ...evidence[subject], ...part };
  }
  return Object.keys(evidence).length === 0 ? undefined : evidence;
}

/** Names of the fields and lists whose evidence the rules of a program test. */
export function subjectsOf(program: CompiledProgram): {
  readonly fields: readonly string[];
  readonly lists: readonly string[];
} {
  const { sets, lists } = factIndex(program.vocabulary);
  const subjects = [...new Set(evidenceFacts(program).map(({ subject }) => subject))];
  return {
    lists: subjects.filter((name) => lists.has(name)),
    fields: subjects.flatMap((name) => (lists.has(name) ? [] : [sets.get(name)?.members[0]?.name ?? name])),
  };
}

interface TestedEvidence {
  readonly subject: string;
  readonly of: 'evidence_age_years' | 'source';
}

function evidenceFacts({ axes }: CompiledProgram): readonly TestedEvidence[] {
  const facts = new Map<string, TestedEvidence>();
  for (const entry of axes) {
    if (entry?.computed?.kind !== 'evidence') continue;
    const { subject, of } = entry.computed;
    facts.set(`${subject}.${of}`, { subject, of });
  }
  return [...facts.values()];
}

/** The day on which something became that many years old at a date. */
function dateOf(years: number, effectiveDate: string): string {
  const year = Math.max(1900, Number(effectiveDate.slice(0, 4)) - years);
  // 29 February has its anniversary on 1 March.
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return effectiveDate.endsWith('-02-29') && !isLeap ? `${year}-02-28` : `${year}${effectiveDate.slice(4)}`;
}
