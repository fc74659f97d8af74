import {
  type Carrier,
  type Catalog,
  homeVocabulary,
  type Status,
  type Verdict,
  type Vocabulary,
} from '@leeward/engine';
import { catalogOf } from '@leeward/engine/compiled';
import type { Finding } from '../finding/finding.ts';
import { answerOfVerdict, isSameTerms, type SavedAnswer } from '../replay/saved-answer.ts';
import { type RuleCase, readCases } from './rule-case.ts';

/** The answer of the rules to a case. */
export interface CaseAnswer {
  readonly status: Status;
  /** Distinct codes of the reasons and of the requirements that certainly apply, sorted. */
  readonly codes: readonly string[];
  readonly missingFields: readonly string[];
  readonly terms: SavedAnswer['terms'];
  readonly tier: SavedAnswer['tier'];
  readonly verdict: Verdict | undefined;
}

/** Cases with their answers. Findings are faults and failures of cases, with paths into the cases file. */
export interface CheckedCases {
  readonly cases: readonly RuleCase[];
  readonly answers: readonly CaseAnswer[];
  readonly findings: readonly Finding[];
}

/**
 * Runs the cases of a carrier against its rule sets.
 *
 * @param file Content of `cases.json`.
 * @returns One finding per expectation that fails.
 * @example
 * const [carrier] = carriersOf([{ ruleSet, source: 'catalog' }]);
 * const { findings } = await checkCases(carrier!, JSON.parse(text));
 */
export async function checkCases(
  carrier: Carrier,
  file: unknown,
  vocabulary: Vocabulary = homeVocabulary,
): Promise<CheckedCases> {
  const catalog = catalogOf([carrier], { vocabulary });
  const { cases, faults } = readCases(file, catalog.vocabulary);
  const findings: Finding[] = faults.map((fault) => ({ ...fault, severity: 'fault' }));
  const answers: CaseAnswer[] = [];
  for (const each of cases) {
    const answer = await answerOf(each, catalog);
    answers.push(answer);
    findings.push(...failuresOf(each, answer));
  }
  return { cases, answers, findings };
}

async function answerOf({ request }: RuleCase, catalog: Catalog): Promise<CaseAnswer> {
  const { verdicts } = await catalog.decide(request.property);
  const [verdict] = verdicts;
  const { status, codes, terms, tier } = answerOfVerdict(verdict);
  return { status, codes, terms, tier, missingFields: verdict?.missingFields ?? [], verdict };
}

function failuresOf(each: RuleCase, answer: CaseAnswer): Finding[] {
  const findings: Finding[] = [];
  const title = each.note === '' ? `Case ${each.path.slice(1)}` : `"${each.note}"`;
  const add = (key: string, expected: string, actual: string) => {
    const reasons = [...(answer.verdict?.reasons ?? []), ...(answer.verdict?.requirements ?? [])];
    const [first] = reasons;
    findings.push({
      code: 'case_fails',
      path: `${each.path}/expect/${key}`,
      message: `${title} expects ${key} ${expected}; the rules return ${actual}.${reasonsInWords(reasons)}`,
      severity: 'fault',
      ...(first ? { ruleId: first.ruleId } : {}),
    });
  };
  const { expect } = each;
  if (expect.status !== answer.status) {
    const isOpen = answer.status === 'needs_information' && !expect.missingFields;
    add('status', expect.status, isOpen ? `${answer.status} (missing: ${list(answer.missingFields)})` : answer.status);
  }
  if (expect.codes && !sameTexts(expect.codes, answer.codes)) add('codes', list(expect.codes), list(answer.codes));
  if (expect.missingFields && !sameTexts(expect.missingFields, answer.missingFields)) {
    add('missing_fields', list(expect.missingFields), list(answer.missingFields));
  }
  if (expect.terms && !isSameTerms(expect.terms, answer.terms)) {
    add('terms', JSON.stringify(expect.terms), JSON.stringify(answer.terms ?? {}));
  }
  if (expect.tier !== undefined && (expect.tier ?? undefined) !== answer.tier) {
    add('tier', expect.tier ?? 'none', answer.tier ?? 'none');
  }
  return findings;
}

function reasonsInWords(reasons: readonly { readonly ruleId: string; readonly message: string }[]): string {
  if (reasons.length === 0) return '';
  const texts = reasons.slice(0, 3).map(({ ruleId, message }) => `${ruleId}: ${message}`);
  return ` Because: ${texts.join(' ')}${reasons.length > 3 ? ` … and ${reasons.length - 3} more.` : ''}`;
}

function sameTexts(a: readonly string[], b: readonly string[]): boolean {
  return list([...new Set(a)].sort()) === list([...new Set(b)].sort());
}

function list(texts: readonly string[]): string {
  return texts.length === 0 ? 'none' : texts.join(', ');
}
