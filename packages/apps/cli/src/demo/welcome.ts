import { browardHome, harrisHome, miamiHome } from './demo-homes.ts';
import type { DemoLine } from './demo-lines.ts';
import { ocalaQuote } from './demo-quote.ts';

export interface Welcome {
  readonly url: string;
  readonly apiKey: string;
  /** The address that signs in to the workbench; undefined where it is not served. */
  readonly page: string | undefined;
  readonly organizationId: string;
  readonly teamToken: string;
  readonly producerEmail: string;
  readonly carriers: number;
  /** Where the keys are kept, as the user would write it. */
  readonly demoFile: string;
  /** A home to show as a table; undefined where there is none at hand. */
  readonly homeFile: string | undefined;
  /** A quote request to do the same with. */
  readonly quoteFile: string | undefined;
  /** What can be asked of the lines that are on beside homes. */
  readonly lines: readonly DemoLine[];
}

/** One screen: what runs, and lines to paste. */
export function welcome(of: Welcome): string {
  const { url, organizationId, producerEmail, carriers, demoFile, homeFile, quoteFile } = of;
  const post = (path: string, token: string, body: object) =>
    `curl -s ${url}${path} -H 'authorization: Bearer ${token}' -H 'content-type: application/json' -d '${JSON.stringify(body)}'`;
  const ask = (home: object, path = '') => post(`/v1/underwrite/home${path}`, of.apiKey, home);
  const table = homeFile === undefined ? '' : `The first answer as a table: npx leeward underwrite ${homeFile}\n`;
  const rates = quoteFile === undefined ? '' : `The same as a table: npx leeward quote create ${quoteFile} --wait\n`;
  const lines = of.lines.map(
    ({ name, title, noun, request }) =>
      `\n${title}, by carriers of its own: what do they say of a ${noun}?\n${post(`/v1/underwrite/${name}`, of.apiKey, request)}\n`,
  );
  const page = of.page === undefined ? '' : `Open the workbench: ${of.page}`;
  return `Leeward is up at ${url} with ${carriers} invented carriers. This is a demo: nothing in it is real.
${page}
What do they say of a home in Harris County, Texas: HO3, built in 1987, a 3-tab roof of 22 years? Paste:
${ask(harrisHome)}
${table}
The same home in Miami-Dade, where the roof is not declined but inspected:
${ask(miamiHome)}

Only the carriers of the demo's agency: those that appointed it, one of its own, and one it tightened:
${ask(browardHome, `/${organizationId}`)}
${lines.join('')}
How far is it from the sea? Of a house in Miami Beach:
${post('/v1/distance-to-coast', of.apiKey, { lat: 25.7825, lng: -80.134 })}

At what price? Ask them all for quotes, and then, with its quote_request_id for QUOTE, what has come so far:
${post('/api/v1/quote/request', of.teamToken, ocalaQuote(producerEmail))}
${post('/api/v1/quote/QUOTE', of.teamToken, { include_rates: false })}
${rates}
Contract: ${url}/openapi.json    Keys: ${demoFile}    Stop: Ctrl+C

`;
}
