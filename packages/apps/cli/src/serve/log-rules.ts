import type { createLogger } from '@leeward/http-admin';
import type { RulesListener } from './open-instance.ts';

/** Lines about the rules that are served: which publication, and what could not be. */
export function logRules(logger: Pick<ReturnType<typeof createLogger>, 'info' | 'warn'>): RulesListener {
  return {
    failed: (err) => logger.warn({ err }, 'rules_not_served'),
    published: ({ carriers }, publication) => logger.info({ publication, carriers: carriers.length }, 'rules_served'),
    notSaved: (err) => logger.warn({ err }, 'decisions_not_saved'),
  };
}
