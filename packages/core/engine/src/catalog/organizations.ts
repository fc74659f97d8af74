/** Catalogs of organizations: appointments, custom rule sets and overrides over shared files. */

export { applyOverride, type CheckedOverride, checkOverride, type Override } from '../rule-set/override.ts';
export {
  createOrganizationCatalog,
  type IsAppointed,
  type OrganizationCatalog,
  type OrganizationRules,
  openOrganizationCatalog,
} from './organization-catalog.ts';
export { createRuleSetPool, type RuleSetPool, type RuleSetPoolOptions } from './rule-set-pool.ts';
export type { HeldFile } from './shared-files.ts';
