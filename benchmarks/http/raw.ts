/** `node:http` and zod alone: the same parsing, validation, work and answer. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { accountsMigrations } from '@leeward/accounts';
import { presentCoastAnswer } from '@leeward/coast';
import { loadCoastlineUs } from '@leeward/coastline-us';
import { openDatabase } from '@leeward/database';
import { parseRequest } from '@leeward/engine';
import { distanceRequest } from '@leeward/http';
import { writeDecision } from '@leeward/http/decision';
import { checkPoint } from '@leeward/places';
import { quoteMigrations } from '@leeward/quotes';
import { z } from 'zod';
import { benchmarkAccounts, benchmarkCatalog, benchmarkQuotes } from './place.ts';
import { answerParent } from './server-process.ts';

const [databaseUrl = '', teamId = ''] = process.argv.slice(2);
const database = await openDatabase(databaseUrl, { migrations: [accountsMigrations, quoteMigrations] });
const catalog = benchmarkCatalog();
const quotes = benchmarkQuotes(database, benchmarkAccounts(database, catalog));
const coast = loadCoastlineUs();
const statusRequest = z.strictObject({ include_rates: z.boolean().nullish() });

class Refused extends Error {}

async function underwrite(json: unknown): Promise<unknown> {
  const parsed = parseRequest(json, { now: new Date(), vocabulary: catalog.vocabulary });
  if (!parsed.ok) throw new Refused(JSON.stringify(parsed.faults));
  const decision = await catalog.decide(parsed.request.property);
  return writeDecision(parsed.request, decision, { traceId: '', organizationId: null });
}

async function quoteStatus(json: unknown, id: string): Promise<unknown> {
  const checked = statusRequest.safeParse(json);
  if (!checked.success) throw new Refused(checked.error.message);
  return quotes.status(teamId, id, { includeRates: checked.data.include_rates ?? false });
}

async function distance(json: unknown): Promise<unknown> {
  const checked = distanceRequest.safeParse(json);
  if (!checked.success) throw new Refused(checked.error.message);
  const { lat, lng } = checked.data;
  if (typeof lat !== 'number' || typeof lng !== 'number') throw new Refused('Give lat and lng.');
  const place = {
    latitude: lat,
    longitude: lng,
    source: 'coordinates',
    precision: 'exact',
    errorRadiusMeters: 0,
  } as const;
  const finding = checkPoint(place);
  if (finding) throw new Refused(finding.message);
  const answer = coast.nearest(place, 'tidal');
  const presented = presentCoastAnswer(answer, place);
  const location = { ...presented.location, precision: 'exact', method: 'coordinates' };
  return { ...presented, location, shore: answer.shore, coast_definition: 'tidal', warnings: [] };
}

function bodyOf(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => resolve((chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).toString('utf8')));
    request.on('error', reject);
  });
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? '';
  let status = 200;
  let answer: unknown;
  try {
    const json: unknown = JSON.parse(await bodyOf(request));
    if (path === '/v1/underwrite/home') answer = await underwrite(json);
    else if (path === '/v1/distance-to-coast') answer = await distance(json);
    else answer = await quoteStatus(json, path.slice('/api/v1/quote/'.length));
  } catch (error) {
    status = error instanceof Refused ? 422 : 500;
    answer = { error: String(error) };
  }
  const text = JSON.stringify(answer);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

const server = createServer((request, response) => void serve(request, response));
server.listen(0, '127.0.0.1', () => answerParent((server.address() as AddressInfo).port));
