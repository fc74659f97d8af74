import { resolve } from 'node:path';
import { type Conformance, checkConformance } from '@leeward/authoring';
import type { Terminal } from '../terminal.ts';
import { readJson } from './rule-set-files.ts';
import { exitWith, WrongUse } from './wrong-use.ts';

/** Maximum divergences printed as text. JSON has all. */
const TOLD = 20;

/** `rules conformance`: exit 1 where a case is answered otherwise. */
export async function conformance(
  corpus: string,
  { format }: { readonly format: 'text' | 'json' },
  terminal: Terminal,
): Promise<void> {
  const { name, json, findings } = readJson(resolve(terminal.folder, corpus), terminal.folder);
  if (!json) throw new WrongUse(`${name}:${findings[0]?.line}: ${findings[0]?.message}`);
  const result = await check(json.value);
  const { cases, matching, divergences } = result;
  if (format === 'json') terminal.write(`${JSON.stringify(wire(result), null, 2)}\n`);
  else {
    terminal.write(`${matching.toLocaleString('en-US')} of ${cases.toLocaleString('en-US')} cases hold.\n`);
    for (const { caseId, about, part, expected, actual } of divergences.slice(0, TOLD)) {
      terminal.write(`\n${caseId} (${about})\n  ${part}: expected ${textOf(expected)}, received ${textOf(actual)}\n`);
    }
    if (divergences.length > TOLD)
      terminal.write(`\n… and ${divergences.length - TOLD} more; --format json has all.\n`);
  }
  if (divergences.length > 0) exitWith(1);
}

async function check(file: unknown): Promise<Conformance> {
  try {
    return await checkConformance(file);
  } catch (error) {
    if (error instanceof RangeError) throw new WrongUse(error.message);
    throw error;
  }
}

function textOf(part: unknown): string {
  return part === undefined ? 'nothing' : JSON.stringify(part);
}

function wire({ cases, matching, divergences }: Conformance) {
  return {
    cases,
    held: matching,
    divergences: divergences.map(({ caseId, about, part, expected, actual }) => ({
      case_id: caseId,
      about,
      part,
      expected,
      got: actual,
    })),
  };
}
