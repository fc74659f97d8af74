import type { CarrierRules } from '../verdict/carrier-rules.ts';
import { type Carrier, versionOn } from './versions.ts';

/** A range of effective dates within one year with the same versions. */
export interface Era {
  readonly effectiveYear: number;
  /** By position in the catalog's carriers. */
  readonly versions: readonly (CarrierRules | undefined)[];
}

/** Maximum number of cached eras, without prepared ones. */
const MAX_CACHED_ERAS = 8;
/** Prepared eras stay cached during decisions on many other dates. */
const MAX_PREPARED_ERAS = 4;

export interface Eras {
  /** Returns the same object for all dates of an era while it is cached. */
  of(effectiveDate: string): Era;
  /** Like `of`, but keeps the era until others are prepared. */
  prepared(effectiveDate: string): Era;
}

export function createEras(carriers: readonly Carrier[]): Eras {
  const borders = [
    ...new Set(
      carriers.flatMap((carrier) =>
        carrier.versions.flatMap(({ ruleSet }) => [
          ruleSet.effectiveFrom,
          ruleSet.effectiveUntil ?? ruleSet.effectiveFrom,
        ]),
      ),
    ),
  ].sort();
  const eras = new Map<string, Era>();
  let lastDate = '';
  let last: Era | undefined;
  const prepared = new Set<string>();
  const find = (effectiveDate: string, isPrepared: boolean): Era => {
    if (last && effectiveDate === lastDate && !isPrepared) return last;
    const index = borders.filter((border) => border <= effectiveDate).length;
    const effectiveYear = Number(effectiveDate.slice(0, 4));
    const key = `${effectiveYear} ${index}`;
    const era = eras.get(key) ?? {
      effectiveYear,
      versions: carriers.map((carrier) => versionOn(carrier, effectiveDate)),
    };
    eras.delete(key);
    eras.set(key, era);
    if (isPrepared) {
      prepared.add(key);
      if (prepared.size > MAX_PREPARED_ERAS) prepared.delete(prepared.values().next().value!);
    }
    if (eras.size > MAX_CACHED_ERAS + prepared.size) {
      for (const each of eras.keys()) {
        if (prepared.has(each)) continue;
        eras.delete(each);
        break;
      }
    }
    lastDate = effectiveDate;
    last = era;
    return era;
  };
  return {
    of: (effectiveDate) => find(effectiveDate, false),
    prepared: (effectiveDate) => find(effectiveDate, true),
  };
}
