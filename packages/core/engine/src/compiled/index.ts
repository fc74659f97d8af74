/** Parts of the engine for packages that analyse rules or evaluate them in bulk. They may change in minor versions. */
export { type CompiledCarriers, compiledCarriers, type TableCarrier } from '../catalog/compiled-carriers.ts';
export type { Tree } from '../condition/condition.ts';
export { factsOfProperty } from '../condition/facts.ts';
export { treeTruth } from '../condition/tree-truth.ts';
export { between, type GivenKnowledge, isWithin } from '../request/knowledge.ts';
export { boundByRelations } from '../request/property.ts';
export { forEachRuleLeaf } from '../rule-set/check.ts';
export { coversCounty, coversState } from '../rule-set/places.ts';
export type { Program } from '../rule-set/rule-set.ts';
export { NOT_JUDGED } from '../verdict/status-codes.ts';
export { factIndex } from '../vocabulary/fact-index.ts';
export { layoutOf } from '../vocabulary/layout.ts';
export { typicalValue } from '../vocabulary/typical-value.ts';
export { cellsOfRange } from './axis.ts';
export {
  add,
  type CellSet,
  cellsOf,
  difference,
  emptySet,
  fullSet,
  has,
  intersects,
  isEmpty,
  isWithinSet,
} from './cell-set.ts';
export { type CompiledProgram, compileProgram, isCompiled, PLACE } from './compile-program.ts';
export { compiledProgram } from './compiled-programs.ts';
export { encode, isDefinite } from './encode.ts';
export {
  cellOfNumber,
  createTestCell,
  type Encoder,
  encoderOf,
  type NumberEncoder,
  type TestCell,
} from './encoder.ts';
export { findCompiled, findStatuses } from './find-compiled.ts';
export { withoutWholePlace, writtenPlaces } from './needed-terms.ts';
export type { PlaceAxis } from './place-axis.ts';
export { truthOfTerms } from './rule-truth.ts';
export { openStatusTerms, possibleStatuses } from './settle.ts';
export { placeTerm, type StatusTerms, statusTermsOf } from './status-terms.ts';
export { createTableAxes, type TableAxes } from './table-axes.ts';
export type { Term, TermPart } from './term.ts';
export { widestTerms } from './widest-terms.ts';
