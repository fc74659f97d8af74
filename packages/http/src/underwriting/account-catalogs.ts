import { createAppointmentIndex, type Directory } from '@leeward/accounts';
import { type Catalog, createOrganizationCatalog, type Decider } from '@leeward/engine';
import type { OrganizationCatalogs } from './organization-catalogs.ts';

/** Organizations whose views are kept. A view is small: the base's tables are shared by all. */
const VIEWS_KEPT = 1000;

/**
 * Organizations' catalogs out of their accounts: the base's carriers that are appointed, their own, and what
 * they tightened. A view is kept under its stamp, so that a change shows in the next request, from whichever
 * process it came.
 */
export function createAccountCatalogs(base: Catalog, directory: Directory): OrganizationCatalogs {
  const views = new Map<string, { readonly stamp: string; readonly view: Decider }>();
  return {
    async catalogOf(organizationId) {
      const stamp = await directory.catalogStamp(organizationId);
      if (stamp === undefined) {
        views.delete(organizationId);
        return undefined;
      }
      const known = views.get(organizationId);
      if (known?.stamp === stamp) {
        // Moved to the end: the first is the one that was asked for the longest ago.
        views.delete(organizationId);
        views.set(organizationId, known);
        return known.view;
      }
      const rules = await directory.catalog(organizationId);
      if (rules === undefined) return undefined;
      const appointments = createAppointmentIndex(rules.appointments);
      const view = createOrganizationCatalog({
        base,
        isAppointed: (carrierKey, policyType, { state, asOfMs }) =>
          appointments.covers({ carrierKey, policyType, state, on: dayOf(asOfMs) }),
        ownRuleSets: rules.carriers.map((carrier) => carrier.ruleSet),
        overrides: rules.overrides.map((override) => override.override),
      });
      views.delete(organizationId);
      views.set(organizationId, { stamp: rules.stamp, view });
      if (views.size > VIEWS_KEPT) views.delete(views.keys().next().value!);
      return view;
    },
  };
}

/** Appointments count by the day of asking. */
function dayOf(asOfMs: number): string {
  return new Date(asOfMs).toISOString().slice(0, 10);
}
