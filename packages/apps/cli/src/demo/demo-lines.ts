import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Line } from '@leeward/engine';

/** A line of business with an example request. */
export interface DemoLine {
  /** As paths have it. */
  readonly name: string;
  readonly title: string;
  /** Noun for the insured object. */
  readonly noun: string;
  readonly request: object;
}

interface Case {
  readonly home: object;
  readonly policy_type: string;
  readonly expect: { readonly status: string };
}

/**
 * For each line, the shortest request among its carriers' cases that a carrier declines, so that the answer has a
 * reason. A line without cases has no request.
 */
export function demoLines(
  opened: readonly { readonly line: Line; readonly carriersFolder: string }[],
): readonly DemoLine[] {
  return opened.flatMap(({ line, carriersFolder }) => {
    const requests = casesIn(carriersFolder)
      .filter(({ expect, policy_type: type }) => {
        return expect.status === 'ineligible' && line.vocabulary.policyTypes.includes(type);
      })
      .map(({ home, policy_type }) => ({ ...home, policy_type }))
      .sort((a, b) => JSON.stringify(a).length - JSON.stringify(b).length);
    const [request] = requests;
    return request ? [{ name: line.vocabulary.line, title: line.title, noun: line.noun, request }] : [];
  });
}

function casesIn(folder: string): readonly Case[] {
  return readdirSync(folder)
    .map((carrier) => join(folder, carrier, 'cases.json'))
    .filter((file) => existsSync(file))
    .flatMap((file) => JSON.parse(readFileSync(file, 'utf8')) as Case[]);
}
