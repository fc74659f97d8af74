import { arrayOf, isObject, own, pointer, quoteValue } from '@leeward/terms';
import type { Tree } from '../condition/condition.ts';
import { readCondition } from './check-condition.ts';
import type { ConditionContext } from './condition-context.ts';

/** Maximum number of levels of a condition with its shared conditions expanded. */
const MAX_EXPANSION_DEPTH = 200;
const emptyGroup: Tree = { kind: 'all', of: [] };

interface Reference {
  readonly to: string;
  readonly at: string;
}

/** Reads the shared conditions of a file, each after those it names. Reports cycles and excessive nesting. */
export function readSharedConditions(
  source: unknown,
  path: string,
  context: Omit<ConditionContext, 'shared' | 'sharedNames'>,
): Map<string, Tree> {
  const trees = new Map<string, Tree>();
  if (!isObject(source)) return trees;
  const names = Object.keys(source);
  const state = new Map<string, 'open' | 'done'>();
  const start = (name: string) => {
    state.set(name, 'open');
    return { name, left: referencesOf(source[name], `${path}${pointer(name)}`) };
  };
  const finish = (name: string): void => {
    const at = `${path}${pointer(name)}`;
    const tree = readCondition(source[name], at, { ...context, shared: trees, sharedNames: names });
    const { depth } = context.expansionOf(tree);
    if (depth > MAX_EXPANSION_DEPTH) {
      const message = `The shared condition ${quoteValue(name)} nests ${depth} levels with its shared conditions expanded; at most ${MAX_EXPANSION_DEPTH} are accepted.`;
      context.faults.push({ path: at, code: 'too_deep', message });
    }
    state.set(name, 'done');
    trees.set(name, depth > MAX_EXPANSION_DEPTH ? emptyGroup : tree);
  };
  // An explicit stack, because a chain of names may exceed the call stack.
  for (const first of names) {
    if (state.has(first)) continue;
    const open = [start(first)];
    for (let top = open.at(-1); top; top = open.at(-1)) {
      const reference = top.left.pop();
      if (!reference) {
        finish(top.name);
        open.pop();
      } else if (state.get(reference.to) === 'open') {
        const message = `The shared condition ${quoteValue(reference.to)} is part of a cycle through ${quoteValue(top.name)}.`;
        context.faults.push({ path: reference.at, code: 'condition_cycle', message });
      } else if (!state.has(reference.to) && Object.hasOwn(source, reference.to)) {
        open.push(start(reference.to));
      }
    }
  }
  return trees;
}

function referencesOf(source: unknown, path: string): Reference[] {
  const references: Reference[] = [];
  const visit = (node: unknown, at: string): void => {
    if (!isObject(node)) return;
    const name = own(node, 'condition');
    if (typeof name === 'string') references.push({ to: name, at: `${at}/condition` });
    for (const kind of ['all', 'any'] as const) {
      for (const [index, child] of arrayOf(own(node, kind)).entries()) visit(child, `${at}/${kind}/${index}`);
    }
    visit(own(node, 'not'), `${at}/not`);
  };
  visit(source, path);
  return references.reverse();
}
