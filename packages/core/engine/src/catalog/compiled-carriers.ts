import type { CompiledProgram } from '../compiled/compile-program.ts';
import type { CompiledLadder } from '../compiled/ladder.ts';
import type { CarrierRules } from '../verdict/carrier-rules.ts';
import type { Catalog } from './catalog.ts';

/** A carrier of a catalog with its compiled program. */
export interface TableCarrier {
  readonly carrier: number;
  readonly program: CompiledProgram;
}

/** A carrier of a catalog whose programs are tiers. */
export interface LadderCarrier {
  readonly carrier: number;
  readonly ladder: CompiledLadder;
}

/** The carriers of a catalog on one effective date, for one policy type. */
export interface CompiledCarriers {
  readonly carriers: readonly TableCarrier[];
  /** The carriers with tiers. */
  readonly ladders: readonly LadderCarrier[];
  /** Positions in the catalog of the carriers whose rules need the host. */
  readonly reference: readonly number[];
  /** Rule set in force of each carrier, by position in the catalog. */
  readonly versions: readonly (CarrierRules | undefined)[];
}

type CompiledCarriersOf = (effectiveDate: string, policyType: string) => CompiledCarriers;

const byCatalog = new WeakMap<Catalog, CompiledCarriersOf>();

export function registerCatalog(catalog: Catalog, compiledOf: CompiledCarriersOf): Catalog {
  byCatalog.set(catalog, compiledOf);
  return catalog;
}

/**
 * Returns the compiled programs of a catalog's carriers. Caches one object for all dates of an era.
 *
 * @throws RangeError if the catalog was not made by `createCatalog`
 * @throws Error if the catalog evaluates all rules with json-rules-engine
 */
export function compiledCarriers(catalog: Catalog, effectiveDate: string, policyType: string): CompiledCarriers {
  const compiledOf = byCatalog.get(catalog);
  if (!compiledOf) throw new RangeError('The catalog was not made by createCatalog.');
  return compiledOf(effectiveDate, policyType);
}
