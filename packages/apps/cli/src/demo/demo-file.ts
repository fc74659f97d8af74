import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError } from '../command-error.ts';
import { writeOwnerFile } from '../files/owner-file.ts';

/** `demo.json`: the address and keys of a demo, the same at every start. */
export interface Demo {
  readonly url: string;
  readonly api_key: string;
}

const keyPattern = /^lw_demo_[0-9a-z]{26}_[0-9A-Za-z]{43}$/;

export function demoPath(dataFolder: string): string {
  return join(dataFolder, 'demo.json');
}

const files = {
  home: 'fixtures/homes/harris-tx-1987-3-tab.json',
  quote: 'fixtures/quotes/marion-fl-2004-ho3.json',
} as const;

/** The file of an example request; undefined outside a copy of the repository. */
export function demoFileAtHand(name: keyof typeof files, folder: string): string | undefined {
  return existsSync(join(folder, files[name])) ? files[name] : undefined;
}

/** The demo of an earlier start; undefined where there was none. Throws for a file that is something else. */
export function readDemo(dataFolder: string): Demo | undefined {
  const path = demoPath(dataFolder);
  if (!existsSync(path)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    value = undefined;
  }
  if (isDemo(value)) return value;
  throw new CommandError(`${path} is not a demo file of this program; move it away and restart to create new keys.`);
}

function isDemo(value: unknown): value is Demo {
  if (typeof value !== 'object' || value === null) return false;
  const { url, api_key: apiKey } = value as Partial<Demo>;
  return typeof url === 'string' && typeof apiKey === 'string' && keyPattern.test(apiKey);
}

/** Stores the demo, readable only by its owner. */
export function writeDemo(dataFolder: string, demo: Demo): void {
  writeOwnerFile(demoPath(dataFolder), demo);
}
