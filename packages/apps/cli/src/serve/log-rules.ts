import type { createLogger } from '@leeward/http-admin';
import type { RulesListener } from './open-instance.ts';

/** Logs publications and rules that cannot be served. */
export function logRules(logger: Pick<ReturnType<typeof createLogger>, 'info' | 'warn'>): RulesListener {
  return {
    failed: (err) => logger.warn({ err }, 'rules_not_served'),
    published: ({ carriers }, publication) => logger.info({ publication, carriers: carriers.length }, 'rules_served'),
    eventsFailed: (err) => logger.warn({ err }, 'hazard_events_not_read'),
    notSaved: (err) => logger.warn({ err }, 'decisions_not_saved'),
  };
}
