export { type HazardFact, hazardFactNames, hazardFacts } from './hazard-facts.ts';
export type { FloodArea, HazardPlace, HazardSource, Hazards } from './hazards.ts';
export {
  createNationalFloodHazardLayer,
  type NationalFloodHazardLayerOptions,
} from './national-flood-hazard-layer.ts';
