/** Parts of the engine for packages that analyse rules or evaluate them in bulk. They may change in minor versions. */
export type { Tree } from '../condition/condition.ts';
export { factsOfProperty } from '../condition/facts.ts';
export { treeTruth } from '../condition/tree-truth.ts';
export { between } from '../request/knowledge.ts';
export { forEachRuleLeaf } from '../rule-set/check.ts';
export { coversCounty } from '../rule-set/places.ts';
export type { Program } from '../rule-set/rule-set.ts';
export { factIndex } from '../vocabulary/fact-index.ts';
export { typicalValue } from '../vocabulary/typical-value.ts';
