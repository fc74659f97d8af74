import { arrayOf, didYouMean, isObject, quoteValue } from '@leeward/terms';
import { type Tree, valueFact } from '../condition/condition.ts';
import { factIndex } from '../vocabulary/fact-index.ts';
import { isAreaTest, readAreaTest } from './area-test.ts';
import { computedKeys, isExpression, isOfMoment, misplacedItemKeys, readComputedTest } from './check-computed.ts';
import { isNumeric } from './check-constant.ts';
import { isSourceTest, readEvidenceAge, readSourceTest } from './check-evidence.ts';
import { readLeaf } from './check-leaf.ts';
import type { ConditionContext } from './condition-context.ts';

const kinds = ['any', 'all', 'not', 'condition', 'fact', ...computedKeys] as const;
const testKeys = ['fact', ...computedKeys];
/** Replaces an unreadable condition, so that reading continues. */
const emptyGroup: Tree = { kind: 'all', of: [] };

/** The root of a rule is a group, never a bare test. */
export function readRoot(source: unknown, path: string, context: ConditionContext): Tree {
  if (isObject(source) && testKeys.some((key) => Object.hasOwn(source, key)) && kindsOf(source).length === 1) {
    const message = 'A condition begins with all, any, not or condition; put this test into an "all" list.';
    context.faults.push({ path, code: 'bare_leaf', message });
  }
  return readCondition(source, path, context);
}

export function readCondition(source: unknown, path: string, context: ConditionContext): Tree {
  if (!isObject(source)) return emptyGroup;
  const kind = kindOf(source, path, context);
  switch (kind) {
    case undefined:
      return emptyGroup;
    case 'all':
    case 'any': {
      const of = arrayOf(source[kind]).map((child, index) => readCondition(child, `${path}/${kind}/${index}`, context));
      return { kind, of };
    }
    case 'not':
      return { kind: 'not', of: readCondition(source['not'], `${path}/not`, context) };
    case 'condition':
      if (context.list) {
        const message = `A shared condition tests the property; write the tests of a ${context.list.itemLabel} here.`;
        context.faults.push({ path, code: 'condition_in_where', message });
        return emptyGroup;
      }
      return readShared(source['condition'], `${path}/condition`, context);
    default:
      return readTest(source, kind === 'fact', path, context) ?? emptyGroup;
  }
}

function readTest(
  source: Record<string, unknown>,
  isOfFact: boolean,
  path: string,
  context: ConditionContext,
): Tree | undefined {
  if (context.list && !isOfFact) {
    const message = `A condition on ${context.list.label} tests the fields of one ${context.list.itemLabel}; compute outside of "where".`;
    context.faults.push({ path, code: 'nested_list', message });
    return undefined;
  }
  if (isOfFact) misplacedItemKeys(source, path, context);
  if (isOfFact && isSourceTest(source['fact'], context)) return readSourceTest(source, path, context);
  if (isOfFact && isAreaTest(source, context)) return readAreaTest(source, path, context);
  const isComputed =
    !isOfFact ||
    (!context.list && (isExpression(source['value']) || isMeantAsExpression(source, context) || isOfMoment(source))) ||
    readEvidenceAge(source['fact'], context) !== undefined ||
    readEvidenceAge(valueFact(source['value'])?.fact, context) !== undefined;
  return isComputed ? readComputedTest(source, path, context, readCondition) : readLeaf(source, path, context);
}

/** True if a fact of the vocabulary is compared with an object that is not a fact: a mistyped expression. */
function isMeantAsExpression({ fact, value }: Record<string, unknown>, { vocabulary }: ConditionContext): boolean {
  if (!isObject(value) || Object.hasOwn(value, 'fact') || typeof fact !== 'string') return false;
  const reference = factIndex(vocabulary).find(fact);
  return reference !== undefined && isNumeric(reference) && Object.values(value).some(Array.isArray);
}

function kindsOf(source: Record<string, unknown>): string[] {
  return kinds.filter((kind) => Object.hasOwn(source, kind));
}

/** Returns the key that defines a condition. */
function kindOf(source: Record<string, unknown>, path: string, context: ConditionContext): string | undefined {
  const present = kindsOf(source);
  const [first] = present;
  if (first === undefined) {
    const message = 'Empty condition; give all, any, not, condition, or a test with fact, operator and value.';
    context.faults.push({ path, code: 'missing_key', message });
    return undefined;
  }
  if (present.length === 1) return first;
  if (context.imported && !present.includes('condition')) {
    const message = `One condition has ${present.join(' and ')}; json-rules-engine uses only "${first}".`;
    context.warnings.push({ path, code: 'ambiguous_condition', message });
    return first;
  }
  const message = `One condition has ${present.join(' and ')}; keep one of them and nest the others.`;
  context.faults.push({ path, code: 'ambiguous_condition', message });
  return undefined;
}

function readShared(name: unknown, path: string, context: ConditionContext): Tree {
  if (typeof name !== 'string') return emptyGroup;
  const tree = context.shared.get(name);
  if (tree) return tree;
  if (!context.sharedNames.includes(name)) {
    const message = `No shared condition ${quoteValue(name)} in this file.${didYouMean(name, context.sharedNames)}`;
    context.faults.push({ path, code: 'unknown_condition', message });
  }
  return emptyGroup;
}
