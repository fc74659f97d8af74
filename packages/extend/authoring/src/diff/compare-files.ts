import type { Rule, RuleSet, Vocabulary } from '@leeward/engine';
import { forEachRuleLeaf, importedId, isImported } from '@leeward/engine/compiled';
import { arrayOf, canonicalJson, isObject, own, pointer, quoteValue, writeQuantity } from '@leeward/terms';
import type { Finding } from '../finding/finding.ts';
import { createDifferences, type Differences } from './differences.ts';

/** An edit of a file, or a change of answers. */
export interface Edit extends Finding {
  readonly side: 'older' | 'newer';
}

interface Named {
  readonly path: string;
  readonly source: unknown;
  readonly owner: string;
}

const MAX_DETAILS = 6;

/** Finds rules, programs and moratoria that were added, removed, renamed or edited, by id. */
export function compareFiles(older: RuleSet, newer: RuleSet, vocabulary: Vocabulary): Edit[] {
  const differences = createDifferences(older, newer, vocabulary);
  const meaning = {
    older: meaningOf(older),
    newer: meaningOf(newer),
    describe: describeMeaning(newer, editedAreas(older, newer)),
  };
  const compareParts = (kind: 'program' | 'moratorium', key: string, without?: string) =>
    compareNamed(kind, partsOf(older, key, without), partsOf(newer, key, without), differences);
  return [
    ...compareNamed('rule', rulesOf(older), rulesOf(newer), differences, meaning),
    ...areaEdits(older, newer),
    ...compareParts('program', 'programs', 'rules'),
    ...compareParts('moratorium', 'moratoria'),
    ...headEdits(older, newer, differences),
  ];
}

function rulesOf({ file }: RuleSet): Map<string, Named> {
  const rules = new Map<string, Named>();
  let number = 0;
  const read = (list: unknown, path: string, owner: string) => {
    for (const [index, source] of arrayOf(list).entries()) {
      number++;
      if (!isObject(source)) continue;
      const id = isImported(source) ? importedId(source, number) : String(source['id']);
      rules.set(id, { path: `${path}/${index}`, source, owner });
    }
  };
  if (!isObject(file)) return rules;
  read(own(file, 'rules'), '/rules', 'every program');
  for (const [index, program] of arrayOf(own(file, 'programs')).entries()) {
    if (isObject(program)) read(own(program, 'rules'), `/programs/${index}/rules`, String(program['id']));
  }
  return rules;
}

function partsOf({ file }: RuleSet, key: string, without?: string): Map<string, Named> {
  const parts = new Map<string, Named>();
  if (!isObject(file)) return parts;
  for (const [index, source] of arrayOf(own(file, key)).entries()) {
    if (!isObject(source)) continue;
    const content = Object.fromEntries(Object.entries(source).filter(([name]) => name !== without));
    parts.set(String(source['id']), { path: `/${key}/${index}`, source: content, owner: '' });
  }
  return parts;
}

/** Conditions of rules as text, with shared conditions resolved. */
function meaningOf(ruleSet: RuleSet): (id: string) => string | undefined {
  const rules = new Map<string, Rule>();
  for (const rule of [...ruleSet.rules, ...ruleSet.programs.flatMap((program) => program.rules)])
    rules.set(rule.id, rule);
  return (id) => {
    const rule = rules.get(id);
    return rule && JSON.stringify([rule.condition, rule.terms]);
  };
}

/** The conditions of rules, by id, beyond their text. */
interface Meaning {
  older(id: string): string | undefined;
  newer(id: string): string | undefined;
  /** Describes an edit outside of the rule. */
  describe(id: string): string;
}

function areasOf({ file }: RuleSet): Readonly<Record<string, unknown>> {
  const areas = isObject(file) ? own(file, 'areas') : undefined;
  return isObject(areas) ? areas : {};
}

/** Names of areas that are in both files, with different geometries. */
function editedAreas(older: RuleSet, newer: RuleSet): ReadonlySet<string> {
  const [before, after] = [areasOf(older), areasOf(newer)];
  const names = Object.keys(before).filter((name) => Object.hasOwn(after, name));
  return new Set(names.filter((name) => canonicalJson(before[name]) !== canonicalJson(after[name])));
}

function describeMeaning(ruleSet: RuleSet, edited: ReadonlySet<string>): (id: string) => string {
  return (id) => {
    const names = new Set<string>();
    forEachRuleLeaf(
      {
        ...ruleSet,
        rules: [...ruleSet.rules].filter((rule) => rule.id === id),
        programs: ruleSet.programs.map((program) => ({
          ...program,
          rules: program.rules.filter((rule) => rule.id === id),
        })),
      },
      ({ written, computed }) => {
        const text = written.fact === 'location' ? [written.value] : computed ? areaNames(written) : [];
        for (const name of text) if (typeof name === 'string' && edited.has(name)) names.add(name);
      },
    );
    if (names.size === 0) return 'a shared condition that it uses was edited';
    const list = [...names].map(quoteValue).join(' and ');
    return names.size === 1 ? `the area ${list} that it uses was edited` : `the areas ${list} that it uses were edited`;
  };
}

/** Names after `miles_to` in a test, at any depth. */
function areaNames(source: unknown): unknown[] {
  if (Array.isArray(source)) return source.flatMap(areaNames);
  if (!isObject(source)) return [];
  return Object.entries(source).flatMap(([key, value]) => (key === 'miles_to' ? [value] : areaNames(value)));
}

/** Areas that were added, removed or edited. */
function areaEdits(older: RuleSet, newer: RuleSet): Edit[] {
  const [before, after] = [areasOf(older), areasOf(newer)];
  const edits: Edit[] = [];
  const add = (what: string, side: Edit['side'], name: string, message: string) =>
    edits.push({ code: `area_${what}`, side, path: `/areas${pointer(name)}`, severity: 'note', message });
  const names = (areas: Readonly<Record<string, unknown>>) => Object.keys(areas).filter((name) => name !== '$comment');
  for (const name of names(before)) {
    if (!Object.hasOwn(after, name)) add('removed', 'older', name, `The area ${quoteValue(name)} was removed.`);
  }
  for (const name of names(after)) {
    if (!Object.hasOwn(before, name)) add('added', 'newer', name, `The area ${quoteValue(name)} was added.`);
  }
  for (const name of editedAreas(older, newer)) {
    if (name === '$comment') continue;
    const details = areaDetails(before[name], after[name]).join('; ');
    add('edited', 'newer', name, `The area ${quoteValue(name)} was edited: ${details}.`);
  }
  return edits;
}

function areaDetails(before: unknown, after: unknown): string[] {
  if (!isObject(before) || !isObject(after)) return ['it was rewritten'];
  const [old, now] = [own(before, 'zipcodes'), own(after, 'zipcodes')];
  if (Array.isArray(old) && Array.isArray(now)) {
    const removed = old.filter((each) => !now.includes(each));
    const added = now.filter((each) => !old.includes(each));
    return [
      ...(added.length > 0 ? [`ZIP codes added: ${added.join(', ')}`] : []),
      ...(removed.length > 0 ? [`ZIP codes removed: ${removed.join(', ')}`] : []),
      ...(added.length + removed.length === 0 ? ['the order of its ZIP codes'] : []),
    ];
  }
  const details: string[] = [];
  const [wide, wider] = [own(before, 'within_miles'), own(after, 'within_miles')];
  if (wide !== wider) details.push(`its margin of ${milesOf(wide)} became ${milesOf(wider)}`);
  const { within_miles: _, $comment: _2, ...shape } = before;
  const { within_miles: _3, $comment: _4, ...newShape } = after;
  if (canonicalJson(shape) !== canonicalJson(newShape)) {
    const [count, newCount] = [positionsIn(shape), positionsIn(newShape)];
    details.push(
      count === newCount
        ? `its outline moved (${count} positions)`
        : `its outline has ${newCount} positions instead of ${count}`,
    );
  }
  return details.length > 0 ? details : ['its comment'];
}

const milesOf = (value: unknown) => writeQuantity(typeof value === 'number' ? value : 0, 'miles');

function positionsIn(source: unknown): number {
  if (Array.isArray(source))
    return typeof source[0] === 'number' ? 1 : source.reduce((sum: number, each) => sum + positionsIn(each), 0);
  return isObject(source) ? positionsIn(own(source, 'geometry') ?? own(source, 'coordinates')) : 0;
}

function compareNamed(
  kind: 'rule' | 'program' | 'moratorium',
  older: ReadonlyMap<string, Named>,
  newer: ReadonlyMap<string, Named>,
  differences: Differences,
  meaning?: Meaning,
): Edit[] {
  const edits: Edit[] = [];
  const add = (what: string, side: Edit['side'], path: string, id: string, message: string, paths?: string[]) => {
    const ruleId = kind === 'rule' ? { ruleId: id } : {};
    edits.push({ code: `${kind}_${what}`, side, path, severity: 'note', message, ...ruleId, ...(paths && { paths }) });
  };
  const newIds = renames(older, newer, differences);
  for (const [id, before] of older) {
    const after = newer.get(id);
    const other = newIds.get(id);
    if (other !== undefined) {
      const message = `The ${kind} "${id}" was renamed to "${other}" and is otherwise unchanged.`;
      add('renamed', 'newer', newer.get(other)!.path, other, message);
      continue;
    }
    if (!after) {
      add('removed', 'older', before.path, id, `The ${kind} "${id}" was removed${placeOf(before.owner)}.`);
      continue;
    }
    const changes = differences(before.source, after.source);
    const details = changes.map(({ text }) => text);
    if (before.owner !== after.owner) details.unshift(`moved from ${before.owner} to ${after.owner}`);
    if (details.length === 0 && meaning && meaning.older(id) !== meaning.newer(id)) details.push(meaning.describe(id));
    if (details.length === 0) continue;
    const message = `The ${kind} "${id}" was edited: ${listDetails(details)}.`;
    add(
      'edited',
      'newer',
      after.path,
      id,
      message,
      changes.map(({ path }) => `${after.path}${path}`),
    );
  }
  const renamedIds = new Set(newIds.values());
  for (const [id, after] of newer) {
    if (older.has(id) || renamedIds.has(id)) continue;
    add('added', 'newer', after.path, id, `The ${kind} "${id}" was added${placeOf(after.owner)}.`);
  }
  return edits;
}

/** New names of parts that are otherwise unchanged, by old name. */
function renames(
  older: ReadonlyMap<string, Named>,
  newer: ReadonlyMap<string, Named>,
  differences: Differences,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const added = [...newer].filter(([id]) => !older.has(id));
  for (const [id, before] of older) {
    if (newer.has(id)) continue;
    const index = added.findIndex(
      ([, after]) => before.owner === after.owner && isSameButName(before, after, differences),
    );
    if (index < 0) continue;
    names.set(id, added[index]![0]);
    added.splice(index, 1);
  }
  return names;
}

function isSameButName(before: Named, after: Named, differences: Differences): boolean {
  const withoutId = ({ source }: Named) => {
    const { id: _, name, ...others } = source as Record<string, unknown>;
    // The name of a json-rules-engine rule is its id.
    return isImported(others) ? others : { name, ...others };
  };
  return differences(withoutId(before), withoutId(after)).length === 0;
}

function placeOf(owner: string): string {
  return owner === '' ? '' : ` (${owner})`;
}

const heads = {
  carrier: 'The carrier was edited',
  line: 'The line of business was edited',
  version: 'The version was edited',
  effective: 'The effective dates were edited',
  certainty: 'The certainty of tests of measured distances was edited, which changes no answer for a known distance',
  outcomes: 'The outcomes of events were edited',
  conditions: 'Shared conditions were edited',
};

/** The first details, and the number of the others. */
function listDetails(details: readonly string[]): string {
  const more = details.length > MAX_DETAILS ? `; and ${details.length - MAX_DETAILS} more` : '';
  return `${details.slice(0, MAX_DETAILS).join('; ')}${more}`;
}

function headEdits(older: RuleSet, newer: RuleSet, differences: Differences): Edit[] {
  if (!isObject(older.file) || !isObject(newer.file)) return [];
  const edits: Edit[] = [];
  for (const [key, words] of Object.entries(heads)) {
    const changes = differences(own(older.file, key), own(newer.file, key));
    if (changes.length === 0) continue;
    const message = `${words}: ${listDetails(changes.map(({ text }) => text))}.`;
    const isInNewer = Object.hasOwn(newer.file, key);
    edits.push({
      code: `${key}_edited`,
      side: isInNewer ? 'newer' : 'older',
      path: `/${key}`,
      severity: 'note',
      message,
      paths: changes.map(({ path }) => `/${key}${path}`),
    });
  }
  return edits;
}
