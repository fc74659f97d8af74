import { browardHome, harrisHome, miamiHome } from './demo-homes.ts';

export interface Welcome {
  readonly url: string;
  readonly apiKey: string;
  readonly organizationId: string;
  readonly carriers: number;
  /** Where the keys are kept, as the user would write it. */
  readonly demoFile: string;
  /** A home to show as a table; undefined where there is none at hand. */
  readonly homeFile: string | undefined;
}

/** One screen: what runs, and lines to paste. */
export function welcome({ url, apiKey, organizationId, carriers, demoFile, homeFile }: Welcome): string {
  const ask = (home: object, path = '') =>
    `curl -s ${url}/v1/underwrite/home${path} -H 'authorization: Bearer ${apiKey}' -H 'content-type: application/json' -d '${JSON.stringify(home)}'`;
  const table =
    homeFile === undefined
      ? ''
      : `\nThe answer as a table, without the server:\n\nnpx leeward underwrite ${homeFile}\n`;
  return `
Leeward is up at ${url} with ${carriers} invented carriers. This is a demo: nothing in it is real.

What do they say of a home in Harris County, Texas: HO3, built in 1987, a 3-tab roof of 22 years? Paste:

${ask(harrisHome)}

The same home in Miami-Dade, where the roof is not declined but inspected:

${ask(miamiHome)}

Only the carriers of the demo's agency: those that appointed it, one of its own, and one it tightened:

${ask(browardHome, `/${organizationId}`)}
${table}
Contract: ${url}/openapi.json    Keys: ${demoFile}    Stop: Ctrl+C

`;
}
