import { type Fault, issueFaults, pointer } from '@leeward/terms';
import type { z } from 'zod';
import { meantKey } from './meant-words.ts';

const keysOfPlace: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /^$/,
    [
      '$schema',
      'format',
      'carrier',
      'line',
      'version',
      'effective',
      'certainty',
      'conditions',
      'outcomes',
      'rules',
      'programs',
      'moratoria',
    ],
  ],
  [/^\/carrier$/, ['key', 'name']],
  [/^\/effective$/, ['from', 'until']],
  [
    /^(\/programs\/\d+)?\/rules\/\d+$/,
    ['id', 'outcome', 'code', 'message', 'terms', 'when', 'unless', 'conditions', 'event', 'name', 'priority'],
  ],
  [/^\/programs\/\d+$/, ['id', 'policy_types', 'states', 'counties', 'tier', 'rules']],
  [/^\/programs\/\d+\/tier$/, ['of', 'rank', 'name']],
  [/^\/moratoria\/\d+$/, ['id', 'from', 'until', 'states', 'counties', 'policy_types', 'when', 'unless', 'message']],
  [/\/counties\/[^/]+$/, ['include', 'exclude']],
  [
    /\/(when|unless|conditions|not|where|(all|any)\/\d+)(\/|$)|^\/conditions\//,
    [
      'all',
      'any',
      'not',
      'condition',
      'fact',
      'operator',
      'value',
      'path',
      'params',
      'count',
      'sum',
      'min',
      'max',
      'of',
      'where',
      'add',
      'subtract',
      'multiply',
      'percent_of',
    ],
  ],
];

export function shapeFaults(issues: readonly z.core.$ZodIssue[], file: unknown): Fault[] {
  return issueFaults(issues, { value: file, of: 'file', keysAt }).map((fault) => {
    const hint = fault.code === 'unknown_key' ? meantKey(fault.path.split('/').at(-1)!) : undefined;
    return hint === undefined
      ? fault
      : { ...fault, message: `${fault.message.replace(/ Did you mean .*$/, '')}${hint}` };
  });
}

function keysAt(path: readonly PropertyKey[]): readonly string[] {
  const at = pointer(...path);
  return keysOfPlace.find(([place]) => place.test(at))?.[1] ?? [];
}
