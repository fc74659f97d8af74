import { exampleQuoteFields } from '@leeward/quotes';
import { browardHome, harrisHome, miamiHome } from './demo-homes.ts';
import type { DemoLine } from './demo-lines.ts';

export interface Welcome {
  readonly url: string;
  readonly apiKey: string;
  /** The addresses that sign two people in to the workbench; undefined where it is not served. */
  readonly links: { readonly author: string; readonly approver: string } | undefined;
  readonly organizationId: string;
  readonly teamToken: string;
  readonly producerEmail: string;
  readonly carriers: number;
  /** Path of the keys, as a user would write it. */
  readonly demoFile: string;
  /** A home to show as a table; undefined where there is none at hand. */
  readonly homeFile: string | undefined;
  /** A quote request to do the same with. */
  readonly quoteFile: string | undefined;
  /** Example requests of lines other than homes. */
  readonly lines: readonly DemoLine[];
}

/** One screen: what runs, and lines to paste. */
export function welcome(of: Welcome): string {
  const { url, organizationId, producerEmail, carriers, demoFile, homeFile, quoteFile } = of;
  const post = (path: string, token: string, body: object) =>
    `curl -s ${url}${path} -H 'authorization: Bearer ${token}' -H 'content-type: application/json' -d '${JSON.stringify(body)}'`;
  const ask = (home: object, path = '') => post(`/v1/underwrite/home${path}`, of.apiKey, home);
  const table = homeFile === undefined ? '' : `As a table: npx leeward underwrite ${homeFile}\n`;
  const rates =
    quoteFile === undefined ? '' : `To see quotes as a table: npx leeward quote create ${quoteFile} --wait\n`;
  const lines = of.lines.map(
    ({ name, title, noun, request }) =>
      `\n${title}, with its carriers: underwrite a ${noun}.\n${post(`/v1/underwrite/${name}`, of.apiKey, request)}\n`,
  );
  const page =
    of.links === undefined
      ? ''
      : `Open the workbench: ${of.links.author}\nAs another person, who approves rules: ${of.links.approver}`;
  return `Leeward is up at ${url} with ${carriers} invented carriers. This is a demo; all its data is invented.
${page}
Underwrite a home in Harris County, Texas: HO3, built in 1987, a 3-tab roof of 22 years.
${ask(harrisHome)}
${table}The home in Miami-Dade, where carriers require a roof inspection instead of declining.
${ask(miamiHome)}

Only carriers of the demo's agency: those that appointed it, a custom carrier, and one with stricter rules.
${ask(browardHome, `/${organizationId}`)}
${lines.join('')}
Distance to the coast from a house in Miami Beach.
${post('/v1/distance-to-coast', of.apiKey, { lat: 25.7825, lng: -80.134 })}

Get quotes from all carriers, then poll with its quote_request_id in place of QUOTE.
${post('/api/v1/quote/request', of.teamToken, ocalaQuote(producerEmail))}
${post('/api/v1/quote/QUOTE', of.teamToken, { include_rates: false })}
${rates}
Contract: ${url}/openapi.json    Keys: ${demoFile}    Stop: Ctrl+C

`;
}

/** A quote request for an ordinary home in Ocala, Florida, with the required keys and no others. */
function ocalaQuote(producerEmail: string) {
  return {
    product_code: 'homeowners',
    assigned_producer_email: producerEmail,
    fields: exampleQuoteFields,
  } as const;
}
