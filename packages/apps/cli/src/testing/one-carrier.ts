import { fileURLToPath } from 'node:url';

/** The environment for commands that need any carrier. One loads faster than all. */
export const oneCarrier = {
  LEEWARD_CARRIERS: fileURLToPath(
    new URL('../../../../../fixtures/carriers/bayou_mutual/rule-set.json', import.meta.url),
  ),
};
