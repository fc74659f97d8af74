import type { CompiledProgram } from '../compiled/compile-program.ts';
import type { CarrierRules } from '../verdict/carrier-rules.ts';
import type { Catalog } from './catalog.ts';

/** A carrier of a catalog with its compiled program. */
export interface TableCarrier {
  /** Place in the catalog. */
  readonly carrier: number;
  readonly program: CompiledProgram;
}

/** The carriers of a catalog on one effective date, for one policy type. */
export interface CompiledCarriers {
  readonly carriers: readonly TableCarrier[];
  /** Places in the catalog of the carriers whose rules need the host. */
  readonly reference: readonly number[];
  /** The rule set in force of each carrier, by place in the catalog. */
  readonly versions: readonly (CarrierRules | undefined)[];
}

type CompiledCarriersOf = (effectiveDate: string, policyType: string) => CompiledCarriers;

const byCatalog = new WeakMap<Catalog, CompiledCarriersOf>();

/** Makes a new catalog's programs available to `compiledCarriers`. */
export function registerCatalog(catalog: Catalog, compiledOf: CompiledCarriersOf): Catalog {
  byCatalog.set(catalog, compiledOf);
  return catalog;
}

/**
 * The compiled programs of a catalog's carriers, for packages that build their own tables of them.
 *
 * @returns The same object for each date between two changes of versions within a year, as long as the catalog keeps it.
 * @throws {RangeError} if `createCatalog` did not make the catalog.
 * @throws {Error} if the catalog evaluates all rules by the reference evaluator.
 */
export function compiledCarriers(catalog: Catalog, effectiveDate: string, policyType: string): CompiledCarriers {
  const compiledOf = byCatalog.get(catalog);
  if (!compiledOf) throw new RangeError('The catalog was not made by createCatalog.');
  return compiledOf(effectiveDate, policyType);
}
