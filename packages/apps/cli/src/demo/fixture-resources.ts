import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TextResource } from '@leeward/mcp';
import { demoCarriersFolder } from '../carriers/demo-carriers.ts';
import { browardHome, harrisHome, miamiHome } from './demo-homes.ts';

const homes = { 'harris-tx': harrisHome, 'miami-dade-fl': miamiHome, 'broward-fl': browardHome };

/** Example homes, and the rule sets of the invented carriers. */
export function fixtureResources(): TextResource[] {
  const folder = demoCarriersFolder();
  const files = readdirSync(folder).flatMap((key) => {
    const path = join(folder, key, 'rule-set.json');
    return existsSync(path) ? [{ key, path }] : [];
  });
  return [
    ...Object.entries(homes).map(([name, home]) => ({
      uri: `leeward://fixtures/homes/${name}`,
      name: `Example home: ${name}`,
      description: 'A home as decide takes it.',
      mimeType: 'application/json',
      read: () => JSON.stringify(home),
    })),
    ...files.map(({ key, path }) => ({
      uri: `leeward://fixtures/rule-sets/${key}`,
      name: `Example rule set: ${key}`,
      description: 'The rule set of an invented carrier.',
      mimeType: 'application/json',
      read: () => readFileSync(path, 'utf8'),
    })),
  ];
}
