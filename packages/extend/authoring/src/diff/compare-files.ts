import type { Rule, RuleSet } from '@leeward/engine';
import { forEachRuleLeaf, importedId, isImported } from '@leeward/engine/compiled';
import { arrayOf, canonicalJson, isObject, own, pointer, quoteValue } from '@leeward/terms';
import type { Finding } from '../finding/finding.ts';

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
export function compareFiles(older: RuleSet, newer: RuleSet): Edit[] {
  return [
    ...compareNamed('rule', rulesOf(older), rulesOf(newer), {
      older: meaningOf(older),
      newer: meaningOf(newer),
      describe: describeMeaning(newer, editedAreas(older, newer)),
    }),
    ...areaEdits(older, newer),
    ...compareNamed('program', partsOf(older, 'programs', 'rules'), partsOf(newer, 'programs', 'rules')),
    ...compareNamed('moratorium', partsOf(older, 'moratoria'), partsOf(newer, 'moratoria')),
    ...headEdits(older, newer),
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
  if (wide !== wider) details.push(`within_miles ${wide ?? 'none'} became ${wider ?? 'none'}`);
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

function positionsIn(source: unknown): number {
  if (Array.isArray(source))
    return typeof source[0] === 'number' ? 1 : source.reduce((sum: number, each) => sum + positionsIn(each), 0);
  return isObject(source) ? positionsIn(own(source, 'geometry') ?? own(source, 'coordinates')) : 0;
}

function compareNamed(
  kind: 'rule' | 'program' | 'moratorium',
  older: ReadonlyMap<string, Named>,
  newer: ReadonlyMap<string, Named>,
  meaning?: Meaning,
): Edit[] {
  const edits: Edit[] = [];
  const add = (what: string, side: Edit['side'], path: string, id: string, message: string) => {
    const ruleId = kind === 'rule' ? { ruleId: id } : {};
    edits.push({ code: `${kind}_${what}`, side, path, severity: 'note', message, ...ruleId });
  };
  const newIds = renames(older, newer);
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
    const details = differences(before.source, after.source, '');
    if (before.owner !== after.owner) details.unshift(`moved from ${before.owner} to ${after.owner}`);
    if (details.length === 0 && meaning && meaning.older(id) !== meaning.newer(id)) details.push(meaning.describe(id));
    if (details.length === 0) continue;
    const list = details.slice(0, MAX_DETAILS).join('; ');
    const more = details.length > MAX_DETAILS ? `; and ${details.length - MAX_DETAILS} more` : '';
    add('edited', 'newer', after.path, id, `The ${kind} "${id}" was edited: ${list}${more}.`);
  }
  const renamedIds = new Set(newIds.values());
  for (const [id, after] of newer) {
    if (older.has(id) || renamedIds.has(id)) continue;
    add('added', 'newer', after.path, id, `The ${kind} "${id}" was added${placeOf(after.owner)}.`);
  }
  return edits;
}

/** New names of parts that are otherwise unchanged, by old name. */
function renames(older: ReadonlyMap<string, Named>, newer: ReadonlyMap<string, Named>): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const added = [...newer].filter(([id]) => !older.has(id));
  for (const [id, before] of older) {
    if (newer.has(id)) continue;
    const index = added.findIndex(([, after]) => before.owner === after.owner && isSameButName(before, after));
    if (index < 0) continue;
    names.set(id, added[index]![0]);
    added.splice(index, 1);
  }
  return names;
}

function isSameButName(before: Named, after: Named): boolean {
  const withoutId = ({ source }: Named) => {
    const { id: _, name, ...others } = source as Record<string, unknown>;
    // The name of a json-rules-engine rule is its id.
    return isImported(others) ? others : { name, ...others };
  };
  return differences(withoutId(before), withoutId(after), '').length === 0;
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

function headEdits(older: RuleSet, newer: RuleSet): Edit[] {
  if (!isObject(older.file) || !isObject(newer.file)) return [];
  const edits: Edit[] = [];
  for (const [key, words] of Object.entries(heads)) {
    const details = differences(own(older.file, key), own(newer.file, key), '');
    if (details.length === 0) continue;
    const message = `${words}: ${details.slice(0, MAX_DETAILS).join('; ')}.`;
    const isInNewer = Object.hasOwn(newer.file, key);
    edits.push({
      code: `${key}_edited`,
      side: isInNewer ? 'newer' : 'older',
      path: `/${key}`,
      severity: 'note',
      message,
    });
  }
  return edits;
}

function differences(a: unknown, b: unknown, path: string): string[] {
  if (a === b) return [];
  const at = path === '' ? '' : `${path.slice(1)}: `;
  if (Array.isArray(a) && Array.isArray(b) && a.every(isPlain) && b.every(isPlain)) {
    const removed = a.filter((each) => !b.includes(each)).map(quoteValue);
    const added = b.filter((each) => !a.includes(each)).map(quoteValue);
    if (removed.length + added.length === 0)
      return a.length === b.length ? [] : [`${at}repeats its values differently`];
    return [`${at}${[...added.map((each) => `with ${each}`), ...removed.map((each) => `without ${each}`)].join(', ')}`];
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    const length = Math.max(a.length, b.length);
    return Array.from({ length }, (_, index) => differences(a[index], b[index], `${path}/${index}`)).flat();
  }
  if (isObject(a) && isObject(b)) {
    const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
    return keys.flatMap((key) => differences(own(a, key), own(b, key), `${path}${pointer(key)}`));
  }
  const print = (value: unknown) => (value === undefined ? 'nothing' : quoteValue(value));
  return [`${at}${print(a)} became ${print(b)}`];
}

function isPlain(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}
