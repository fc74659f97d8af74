import { homeVocabulary } from '@leeward/engine';
import { labelOf } from '@leeward/engine/vocabulary';
import { capitalized, wordOf } from '@leeward/terms/words';

/** The part of the service's answer that the home page shows. */
export interface ShownDecision {
  readonly counts: Readonly<Record<string, number>>;
  readonly carriers: readonly ShownVerdict[];
  readonly declined: readonly ShownVerdict[];
}

interface ShownVerdict {
  readonly carrier: string;
  readonly status: string;
  readonly reasons: readonly Sentence[];
  readonly requirements: readonly Sentence[];
  readonly missing_fields: readonly string[];
}

interface Sentence {
  readonly message: string;
}

const statuses = ['eligible', 'referral', 'needs_information', 'ineligible'];

/** The file of the home whose verdicts the page shows, from the root of the repository. */
export function homeOf(markdown: string): string {
  const [, file] = /^home: (\S+)$/m.exec(markdown) ?? [];
  if (file === undefined) throw new Error('site/home.md has no line "home: FILE". Name a file of fixtures/homes.');
  return file;
}

/** The home page, with one verdict of each status from an answer of the service. */
export function homePage(markdown: string, decision: ShownDecision): string {
  const { counts } = decision;
  const carriers = [...decision.carriers, ...decision.declined];
  const verdicts = statuses.map((status) => {
    const verdict = carriers.find((each) => each.status === status);
    if (verdict === undefined)
      throw new Error(`No carrier is ${status} for the home of site/home.md. Name another home.`);
    return { status, words: capitalized(wordOf('status', status)), carrier: verdict.carrier, why: whyOf(verdict) };
  });
  const others = Object.entries(counts).map(([status, count]) => `${count} ${wordOf('status', status)}`);
  return markdown.replace('\nhome: ', `\nanswer: ${JSON.stringify({ verdicts, counts: others.join(', ') })}\nhome: `);
}

function whyOf({ reasons, requirements, missing_fields: missing }: ShownVerdict): string {
  if (missing.length > 0) return `Needs ${missing.map((name) => labelOf(name, homeVocabulary)).join(', ')}.`;
  const [requirement] = requirements;
  return reasons[0]?.message ?? (requirement === undefined ? '' : `Requires: ${requirement.message}`);
}
