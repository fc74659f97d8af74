import { fileURLToPath } from 'node:url';

/** The environment of commands that judge by some carrier, whichever: one is read sooner than all the invented ones. */
export const oneCarrier = {
  LEEWARD_CARRIERS: fileURLToPath(
    new URL('../../../../../fixtures/carriers/bayou_mutual/rule-set.json', import.meta.url),
  ),
};
