import { exampleQuoteFields } from '@leeward/quotes';
import { browardHome, harrisHome, miamiHome } from './demo-homes.ts';
import type { DemoLine } from './demo-lines.ts';
import { demoPeople } from './demo-people.ts';
import type { DemoKeys } from './seed-demo.ts';

export interface Welcome {
  readonly url: string;
  readonly keys: DemoKeys;
  /** True if the service serves the workbench. */
  readonly hasPage: boolean;
  readonly carriers: number;
  /** Path of the keys, as a user would write it. */
  readonly demoFile: string;
  /** File of a home; undefined if there is none at hand. */
  readonly homeFile: string | undefined;
  /** Address of the sandbox provider; undefined if people do not sign in. */
  readonly sandboxUrl?: string | undefined;
}

/** A few lines: what runs, the links of two people, and one request to paste. */
export function welcome({ url, keys, hasPage, carriers, demoFile, homeFile, sandboxUrl }: Welcome): string {
  const body = homeFile === undefined ? JSON.stringify(harrisHome) : `@${homeFile}`;
  return `Leeward is up at ${url} with ${carriers} invented carriers. This is a demo; all its data is invented.
${hasPage ? signInLines(url, keys) : ''}${sandboxUrl === undefined ? '' : sandboxLines(url, sandboxUrl)}Underwrite a home in Harris County, Texas, with a 3-tab roof of 22 years:
${curl(`${url}/v1/underwrite/home`, keys.api_key, body)}
More requests: npx leeward demo    Contract: ${url}/openapi.json    Keys: ${demoFile}    Stop: Ctrl+C

`;
}

export interface DemoRequests {
  readonly url: string;
  readonly keys: DemoKeys;
  readonly homeFile: string | undefined;
  /** A quote request to show as a table. */
  readonly quoteFile: string | undefined;
  /** Example requests of lines other than homes. */
  readonly lines: readonly DemoLine[];
}

/** Lines to paste for everything that the demo serves. */
export function demoRequests({ url, keys, homeFile, quoteFile, lines }: DemoRequests): string {
  const post = (path: string, token: string, body: object) => curl(`${url}${path}`, token, JSON.stringify(body));
  const ask = (home: object, path = '') => post(`/v1/underwrite/home${path}`, keys.api_key, home);
  const table = homeFile === undefined ? '' : `As a table: npx leeward underwrite ${homeFile}\n`;
  const rates =
    quoteFile === undefined ? '' : `To see quotes as a table: npx leeward quote create ${quoteFile} --wait\n`;
  const ofLines = lines.map(
    ({ name, title, noun, request }) =>
      `\n${title}, with its carriers: underwrite a ${noun}.\n${post(`/v1/underwrite/${name}`, keys.api_key, request)}\n`,
  );
  return `${signInLines(url, keys)}
Underwrite a home in Harris County, Texas: HO3, built in 1987, a 3-tab roof of 22 years.
${ask(harrisHome)}
${table}
The home in Miami-Dade, where carriers require a roof inspection instead of declining.
${ask(miamiHome)}

Only carriers of the demo's agency: those that appointed it, a custom carrier, and one with stricter rules.
${ask(browardHome, `/${keys.organization_id}`)}
${ofLines.join('')}
Distance to the coast from a house in Miami Beach.
${post('/v1/distance-to-coast', keys.api_key, { lat: 25.7825, lng: -80.134 })}

Get quotes from all carriers, then poll with its quote_request_id in place of QUOTE.
${post('/api/v1/quote/request', keys.team_token, ocalaQuote(keys.producer_email))}
${post('/api/v1/quote/QUOTE', keys.team_token, { include_rates: false })}
${rates}`;
}

function curl(url: string, token: string, body: string): string {
  return `curl -s ${url} -H 'authorization: Bearer ${token}' -H 'content-type: application/json' -d '${body}'`;
}

/** The addresses that sign two people in to the page: the part after `#` is never sent, and the page takes it out. */
function signInLines(url: string, keys: DemoKeys): string {
  const { author_token, approver_token, team_token, producer_email } = keys;
  const link = (parameters: Record<string, string>) => `${url}/#${new URLSearchParams(parameters)}`;
  const author = link({ token: author_token, team: team_token, producer: producer_email });
  return `Open the workbench: ${author}\nAs another person, who approves rules: ${link({ token: approver_token })}\n`;
}

function sandboxLines(url: string, sandboxUrl: string): string {
  const people = demoPeople.map(({ name, role }) => `${name} (${role})`).join(', ');
  return `Sign in at ${url}/ as ${people}: the sandbox at ${sandboxUrl} has no passwords.\n`;
}

/** A quote request for an ordinary home in Ocala, Florida, with the required keys and no others. */
function ocalaQuote(producerEmail: string) {
  return {
    product_code: 'homeowners',
    assigned_producer_email: producerEmail,
    fields: exampleQuoteFields,
  } as const;
}
