import { wordOf } from '@leeward/terms/words';
import { useMemo } from 'preact/hooks';
import type { FormLine } from '../lines/served-lines.ts';
import { Choice, hintOf, Input } from './field-input.tsx';
import { form } from './home-state.ts';
import { evidenceParts, splitEvidence, titleIn } from './line-form.ts';
import { settledBy } from './mark-fields.ts';
import { decision } from './verdicts.ts';

declare const EVIDENCE_SOURCES: readonly string[];

/** True for the evidence of a field of the line. */
function isEvidence({ fields }: FormLine, name: string): boolean {
  const evidence = splitEvidence(name);
  return evidence !== undefined && fields.some((each) => each.name === evidence.field);
}

/** Dates and sources of values. A field appears once a verdict depends on it, and stays. */
export function EvidenceFields() {
  const { line, typed } = form.value;
  const shownNames = useMemo(() => new Set<string>(), [line]);
  const open = decision.value?.next_questions.map(({ field }) => field) ?? [];
  for (const name of [...open, ...Object.keys(typed.value)]) if (isEvidence(line, name)) shownNames.add(name);
  const names = line.fields.flatMap(({ name }) =>
    evidenceParts.flatMap((part) => (shownNames.has(`${name}.${part}`) ? [`${name}.${part}`] : [])),
  );
  if (names.length === 0) return null;
  return (
    <details class="evidence" open>
      <summary>Dates and sources of answers</summary>
      <div class="field-grid">
        {names.map((name) => {
          const { field, part } = splitEvidence(name)!;
          const shared = {
            name,
            label: titleIn(form.value, name),
            hint: hintOf(settledBy(name, typed.value, decision.value)),
            isIdle: decision.value !== undefined && typed.value[name] === undefined && !open.includes(name),
          };
          return (
            <div key={name}>
              {part === 'as_of' ? (
                <Input {...shared} placeholder="2026-05-01 or 2026" />
              ) : (
                <Choice {...shared} options={sources} empty="Not given" />
              )}
              {typed.value[name] !== undefined && typed.value[field] === undefined && (
                <p class="small soft">Used once the answer itself is given.</p>
              )}
            </div>
          );
        })}
      </div>
    </details>
  );
}

const sources = EVIDENCE_SOURCES.map((word): [string, string] => [word, wordOf('evidenceSource', word)]);
