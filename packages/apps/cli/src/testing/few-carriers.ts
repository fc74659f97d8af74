import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder.ts';

/** Two of Texas and the Gulf, one of Florida, one of wind alone: among them they take, refer, decline and do not offer. */
const FEW = ['bayou_mutual', 'brackish_bay', 'gulf_rim_wind', 'sawpalm_home'];

/** The environment for commands that need several carriers. Four load six times as fast as all the invented ones. */
export function fewCarriers(): Disposable & { readonly environment: Readonly<Record<'LEEWARD_CARRIERS', string>> } {
  const folder = temporaryFolder();
  const all = new URL('../../../../../fixtures/carriers/', import.meta.url);
  for (const key of FEW) cpSync(new URL(key, all), join(folder.path, key), { recursive: true });
  return { environment: { LEEWARD_CARRIERS: folder.path }, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}
