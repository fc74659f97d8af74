import { createApproval } from './approve.ts';
import { createProposals } from './propose.ts';
import { createRuleSetReading } from './read-rule-sets.ts';
import { createReplay } from './saved-decisions.ts';
import type { RegistryServices } from './services.ts';
import { createRollback, createWithdrawal } from './withdraw.ts';

export function createRuleSets(services: RegistryServices) {
  const { push, propose } = createProposals(services);
  return {
    ...createRuleSetReading(services),
    push,
    propose,
    approve: createApproval(services),
    withdraw: createWithdrawal(services),
    rollback: createRollback(services),
    replay: createReplay(services),
  };
}
