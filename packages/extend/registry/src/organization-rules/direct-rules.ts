import { AdministrationError } from '@leeward/accounts';
import type { RegistryCall } from '../rule-sets/services.ts';

/** Refuses rules without approval, if the host demands it. The command line is exempt. */
export function refuseDirectRules(noun: string, { services, authority }: RegistryCall): void {
  const { fourEyes, allowsDirectRules } = services.approval;
  if (!fourEyes || allowsDirectRules || authority.actorType === 'system') return;
  const message = `Here another person approves rules before they are in force: propose a rule set (/v1/admin/rule-sets/propose) instead of this ${noun}. With LEEWARD_RULES_DIRECT=true the operator allows it.`;
  throw new AdministrationError('forbidden', [{ path: '', code: 'approval_required', message }]);
}

/** Marks the entry in the audit log. */
export function unapproved({ services }: RegistryCall): { approved_by?: { after: null } } {
  return services.approval.fourEyes ? { approved_by: { after: null } } : {};
}
