import type { ApprovalRules } from '@leeward/registry';
import type { Settings } from './read-settings.ts';

/** Requirements for putting rules in force, from the settings. */
export function approvalRules(settings: Settings): ApprovalRules {
  const explainFrom = settings.value('rules_explain') ?? 'warning';
  return {
    fourEyes: settings.value('rules_four_eyes') !== 'false',
    allowsDirectRules: settings.value('rules_direct') !== 'false',
    explainFrom: explainFrom === 'none' ? null : (explainFrom as ApprovalRules['explainFrom']),
  };
}
