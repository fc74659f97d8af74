import { type Carrier, type Catalog, checkRuleSet, type Property } from '@leeward/engine';
import { catalogOf, eventAggregates } from '@leeward/engine/compiled';
import { applyOverride, checkOverride } from '@leeward/engine/organizations';
import type { WireRuleSets } from '../service/wire.ts';

type WireCarrier = WireRuleSets['carriers'][number];

export interface OpenCatalog {
  readonly catalog: Catalog;
  /** True if the carrier may be evaluated for the home. */
  isAppointed(carrierKey: string, policyType: string, property: Pick<Property, 'state'>): boolean;
  readonly asksAll: boolean;
  /** Names of carriers that only the service can evaluate. */
  readonly needService: readonly string[];
  /** True if rules test storms and other events, which only the service knows. */
  readonly needEvents: boolean;
}

/** If the page cannot read or evaluate a version of a carrier, it leaves the whole carrier to the service. */
export function openCatalog({ carriers: wire }: WireRuleSets): OpenCatalog {
  const needService: string[] = [];
  const carriers = wire.flatMap((each) => {
    const carrier = openCarrier(each);
    if (carrier === undefined) needService.push(each.carrier);
    return carrier ? [carrier] : [];
  });
  const catalog = catalogOf(carriers);
  for (const { carrierKey } of catalog.evaluators.filter(({ evaluator }) => evaluator === 'reference'))
    needService.push(carriers.find(({ key }) => key === carrierKey)?.name ?? carrierKey);
  const appointed = new Map(
    wire.map(({ carrier_key, appointed_for }) => [
      carrier_key,
      appointed_for === null
        ? undefined
        : new Set(Object.entries(appointed_for).flatMap(([state, types]) => types.map((type) => `${state} ${type}`))),
    ]),
  );
  return {
    catalog,
    isAppointed: (carrierKey, policyType, { state }) =>
      appointed.get(carrierKey)?.has(`${state} ${policyType}`) ?? appointed.has(carrierKey),
    asksAll: [...appointed.values()].every((places) => places === undefined),
    needService: [...new Set(needService)],
    needEvents: carriers.some(({ versions }) => versions.some(({ ruleSet }) => eventAggregates(ruleSet).length > 0)),
  };
}

function openCarrier({ carrier_key: key, carrier: name, source, versions }: WireCarrier): Carrier | undefined {
  const rules = versions.map(({ rule_set, override }) => {
    const { ruleSet } = checkRuleSet(rule_set);
    if (ruleSet === undefined || override === undefined) return ruleSet && { ruleSet, source };
    const added = checkOverride(override).override;
    return added && { ruleSet: applyOverride(ruleSet, added), source, overrideSha256: added.sha256 };
  });
  const opened = rules.filter((each) => each !== undefined);
  return opened.length < versions.length ? undefined : { key, name, versions: opened };
}
