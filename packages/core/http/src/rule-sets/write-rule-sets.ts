import { createProperty, type Decider } from '@leeward/engine';
import { nextTurn, type Turn } from '@leeward/engine/compiled';
import { stateCodes } from '@leeward/places/counties';
import type { WireRuleSets } from './rule-sets-schema.ts';

type WireCarrier = WireRuleSets['carriers'][number];

/** Rule files of a catalog, with appointed policy types and states. */
export async function writeRuleSets(
  decider: Decider,
  { organizationId, now, turn }: { readonly organizationId: string | null; readonly now: Date; readonly turn: Turn },
): Promise<WireRuleSets> {
  const carriers: WireCarrier[] = [];
  const appointed = appointments(decider, now);
  for (const { key, name, versions } of decider.carriers) {
    const appointedFor = appointed?.(key);
    // Not appointed.
    if (appointedFor !== undefined && Object.keys(appointedFor).length === 0) continue;
    carriers.push({
      carrier_key: key,
      carrier: name,
      source: versions[0]?.source ?? 'catalog',
      versions: versions.map(({ ruleSet: { version, sha256, file }, override }) => ({
        version,
        sha256,
        rule_set: file as Record<string, unknown>,
        ...(override === undefined ? {} : { override: override as Record<string, unknown> }),
      })),
      appointed_for: appointedFor ?? null,
    });
    await nextTurn(turn);
  }
  return { as_of: now.toISOString(), organization_id: organizationId, carriers };
}

/** By state; undefined without appointments. */
function appointments({ isAppointed, vocabulary }: Decider, now: Date) {
  if (!isAppointed) return undefined;
  const effectiveDate = now.toISOString().slice(0, 10);
  const places = stateCodes.map((state) => ({
    state,
    properties: vocabulary.policyTypes.map((policyType) =>
      createProperty({ vocabulary, policyType, state, values: {}, asOfMs: now.getTime(), effectiveDate }),
    ),
  }));
  return (carrierKey: string): Record<string, string[]> =>
    Object.fromEntries(
      places.flatMap(({ state, properties }) => {
        const types = vocabulary.policyTypes.filter((type, index) => isAppointed(carrierKey, type, properties[index]!));
        return types.length === 0 ? [] : [[state, types]];
      }),
    );
}
