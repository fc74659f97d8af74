import { homeVocabulary, type Property, type RuleSet, type Status, type Vocabulary } from '@leeward/engine';
import { type CompiledProgram, cellsOf, coversState, encode, isPossible, PLACE } from '@leeward/engine/compiled';
import { wordOf, writeWord } from '@leeward/terms';
import { type AnalyseOptions, findRulesThatDecideNothing } from '../analysis/analyse.ts';
import type { AskedAt } from '../finding/asked-at.ts';
import type { Allowance } from '../finding/boxes.ts';
import { createHomeEvaluator, type HomeEvaluator } from '../finding/evaluate-home.ts';
import { findExample } from '../finding/example-home.ts';
import type { ExampleHome } from '../finding/finding.ts';
import { wordsOfTerm, wordsOfTypes } from '../finding/words-of-term.ts';
import { isDoneWithin, type Work } from '../finding/work-budget.ts';
import { type Change, changedRegions, type Region } from './changed-regions.ts';
import { changedTerms } from './changed-terms.ts';
import { changedTiers } from './changed-tiers.ts';
import { compareFiles, type Edit } from './compare-files.ts';
import { type JointProgram, joinPrograms } from './joint-program.ts';

/** The dates of a comparison, and its limits. */
export interface DiffOptions {
  readonly at: AskedAt;
  /** The line of business of both versions. @default homeVocabulary */
  readonly vocabulary?: Vocabulary;
  /** Maximum number of boxes for all searches together. @default 2_000_000 */
  readonly boxes?: number;
  /** Work budget of the whole comparison. @default unlimited */
  readonly work?: Work | undefined;
}

/** The differences between two versions: in their answers and in their files. */
export interface RuleSetDiff {
  /** Regions of homes whose status changes, then the edits of the file. */
  readonly findings: readonly Edit[];
  readonly at: AskedAt;
  /** False if the work budget ran out. */
  readonly isComplete: boolean;
  /** The change of a complete home according to the regions, to check them against the engine. */
  changeOf(property: Property): Change | undefined;
}

const BOXES = 2_000_000;
const BOXES_A_QUESTION = 50_000;

const sentences: Readonly<Record<Change, string>> = {
  newly_declined: 'Newly declined',
  newly_accepted: 'Newly accepted',
  newly_referred: 'Newly referred',
  no_longer_referred: 'No longer referred',
  newly_offered: 'Newly offered',
  no_longer_offered: 'No longer offered',
};

/**
 * Compares two versions of a rule set, each as if it were in force at `at`. Finds exactly the homes whose status changes, each region
 * with an example home that both versions confirm.
 *
 * @example
 * const { findings } = diffRuleSets(older, newer, { at: readAskedAt('2026-11-20')! });
 * findings[0]?.message; // HO3: Newly accepted (declined before by "three"): claims in five years 3. …
 */
export function diffRuleSets(older: RuleSet, newer: RuleSet, options: DiffOptions): RuleSetDiff {
  const vocabulary = options.vocabulary ?? homeVocabulary;
  const { at, work } = options;
  const allowance: Allowance = { left: options.boxes ?? BOXES, perQuestion: BOXES_A_QUESTION, work };
  const joints = new Map<string, { joint: JointProgram; regions: readonly Region[] }>();
  const findings: Edit[] = [];
  const grouped = new Map<string, { edit: Edit; policyTypes: string[] }>();
  const group = (edit: Edit, policyType: string): void => {
    const key = `${edit.code} ${edit.message}`;
    const others = grouped.get(key);
    if (others) others.policyTypes.push(policyType);
    else grouped.set(key, { edit, policyTypes: [policyType] });
  };
  const [before, after] = [createHomeEvaluator(older, vocabulary, work), createHomeEvaluator(newer, vocabulary, work)];
  const indexOf = (programId: string) => newer.programs.findIndex(({ id }) => id === programId);
  const confirm = createConfirmation(before, after, at);
  const compare = (policyType: string): void => {
    const joint = joinPrograms(older, newer, policyType, at, vocabulary);
    if (!joint) return;
    if (!('program' in joint)) {
      const message = `${writeWord(policyType)} was not compared: ${joint.reason}.`;
      findings.push({ code: 'not_compared', path: '', side: 'newer', severity: 'warning', message });
      return;
    }
    const { regions, ranOut } = changedRegions(joint, allowance);
    joints.set(policyType, { joint, regions });
    for (const id of ranOut) {
      const message = `The search for homes of ${writeWord(policyType)} that "${id}" changes stopped at its limit without a result.`;
      findings.push({ code: 'ran_out', path: '', side: 'newer', severity: 'warning', ruleId: id, message });
    }
    for (const edit of changedTerms(joint, { older, newer }, at, vocabulary, allowance)) group(edit, policyType);
    if (joint.older.tiers.length > 0 && joint.newer.tiers.length > 0) {
      for (const edit of changedTiers(joint, { at, allowance, before, after, indexOf })) group(edit, policyType);
    }
    for (const region of regions) {
      const confirmation = confirm(joint, region);
      if (!confirmation) continue;
      group(editOf(region, confirmation, joint, { older, newer }), policyType);
    }
  };
  const isCompared = isDoneWithin(() => vocabulary.policyTypes.forEach(compare));
  for (const { edit, policyTypes } of grouped.values()) {
    findings.push({ ...edit, message: `${wordsOfTypes(policyTypes)}: ${edit.message}`, policyTypes });
  }
  findings.push(...compareFiles(older, newer, vocabulary));
  const isComplete =
    isCompared &&
    isDoneWithin(() => {
      findings.push(...silencedRules(older, newer, { at, vocabulary, boxes: allowance.left, work }));
    });
  return {
    findings,
    at,
    isComplete,
    changeOf(property) {
      const compared = joints.get(property.policyType ?? '');
      if (!compared) return undefined;
      const encoded = encode(compared.joint.program, property);
      if (encoded.cells[0]! < 0) return undefined;
      const region = compared.regions.find(
        ({ box, except }) => isPossible(box, encoded) && !except.some((term) => isPossible(term, encoded)),
      );
      return region?.change;
    },
  };
}

/**
 * The change from one status to another. Undefined if they are equal.
 *
 * @example
 * changeBetween('ineligible', 'eligible'); // newly_accepted
 */
export function changeBetween(before: Status, after: Status): Change | undefined {
  if (before === after) return undefined;
  if (before === 'not_offered') return 'newly_offered';
  if (after === 'not_offered') return 'no_longer_offered';
  if (after === 'ineligible') return 'newly_declined';
  if (before === 'ineligible') return 'newly_accepted';
  return after === 'referral' ? 'newly_referred' : 'no_longer_referred';
}

interface Confirmed {
  readonly home: ExampleHome;
  readonly before: Status;
  readonly after: Status;
}

/** Finds a home of a region that both versions confirm. */
function createConfirmation(before: HomeEvaluator, after: HomeEvaluator, at: AskedAt) {
  return ({ program }: JointProgram, region: Region): Confirmed | undefined => {
    let statuses: { before: Status; after: Status } | undefined;
    const example = findExample(program, region.open, at, (property) => {
      const [a, b] = [before.evaluate(property)?.status, after.evaluate(property)?.status];
      if (!a || !b || changeBetween(a, b) !== region.change) return false;
      statuses = { before: a, after: b };
      return true;
    });
    return example && statuses && { home: example.home, ...statuses };
  };
}

function editOf(
  region: Region,
  { home, before, after }: Confirmed,
  { program, placeNames }: JointProgram,
  files: { readonly older: RuleSet; readonly newer: RuleSet },
): Edit {
  const { change, box, touching, id, kind, rule } = region;
  const isOffer = change === 'newly_offered' || change === 'no_longer_offered';
  const source = { rule: `"${id}"`, moratorium: `the moratorium "${id}"`, territory: 'the territory' }[kind];
  const verb = { newly_accepted: 'declined', no_longer_referred: 'referred' }[change as string];
  const cause = isOffer ? '' : verb ? ` (${verb} before by ${source})` : ` by ${source}`;
  const exceptions = touching.length === 0 ? '' : `, except where ${otherConditions(touching.length)}`;
  return {
    code: change,
    ...placeOf(region, program, files),
    severity: 'note',
    message: `${sentences[change]}${cause}: ${wordsOfTerm(box, program, placeNames)}${exceptions}. Example: ${wordOf('status', before)} becomes ${wordOf('status', after)}.`,
    ...(rule ? { ruleId: rule.id } : {}),
    example: home,
  };
}

/** The place of the cause: in the newer file if it still exists there, else in the older. */
function placeOf(
  { kind, id, box, rule }: Region,
  { place, policyType }: CompiledProgram,
  { older, newer }: { readonly older: RuleSet; readonly newer: RuleSet },
): Pick<Edit, 'path' | 'side'> {
  const changed = box[0]?.axis === PLACE ? box[0].cells : place.full;
  const states = new Set(cellsOf(changed).map((cell) => place.samples[cell]!.state));
  const pathIn = (ruleSet: RuleSet): string | undefined => {
    const { programs, moratoria } = ruleSet;
    if (kind === 'rule') return ruleOf(ruleSet, rule?.id ?? id)?.path;
    if (kind === 'moratorium')
      return pathAt(
        'moratoria',
        moratoria.findIndex((each) => each.id === id),
      );
    const writes = ({ policyTypes, places }: RuleSet['programs'][number]) =>
      policyTypes.includes(policyType) && [...states].some((state) => coversState(places, state));
    return pathAt('programs', programs.findIndex(writes));
  };
  const inNewer = pathIn(newer);
  return inNewer === undefined ? { path: pathIn(older) ?? '', side: 'older' } : { path: inNewer, side: 'newer' };
}

function pathAt(key: string, index: number): string | undefined {
  return index < 0 ? undefined : `/${key}/${index}`;
}

function otherConditions(count: number): string {
  return count === 1 ? 'another condition decides' : `one of ${count} other conditions decides`;
}

function ruleOf(ruleSet: RuleSet, id: string) {
  return [...ruleSet.rules, ...ruleSet.programs.flatMap((program) => program.rules)].find((rule) => rule.id === id);
}

/** Rules of both versions that decide nothing in the newer version but decided something in the older. */
function silencedRules(older: RuleSet, newer: RuleSet, options: AnalyseOptions): Edit[] {
  const idle = findRulesThatDecideNothing(newer, options).filter(({ ruleId }) => ruleId !== undefined);
  if (idle.length === 0) return [];
  const idleBefore = new Set(findRulesThatDecideNothing(older, options).map(({ ruleId }) => ruleId));
  const olderIds = new Set([...older.rules, ...older.programs.flatMap(({ rules }) => rules)].map(({ id }) => id));
  return idle
    .filter(({ ruleId }) => olderIds.has(ruleId!) && !idleBefore.has(ruleId))
    .map((finding) => ({
      ...finding,
      code: 'rule_decides_nothing_now',
      side: 'newer',
      message: `"${finding.ruleId}" no longer decides anything. ${finding.message}`,
    }));
}
