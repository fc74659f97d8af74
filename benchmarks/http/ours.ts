/** The service with all features, as in `leeward serve`: tokens and quotes in SQLite, limits, and a log line per request. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { accountsMigrations } from '@leeward/accounts';
import { loadCoastlineUs } from '@leeward/coastline-us';
import { openDatabase } from '@leeward/database';
import { createLeeward } from '@leeward/http';
import { createNodeHandler } from '@leeward/http/node';
import { createRedisRateLimitStore } from '@leeward/http/redis-rate-limit';
import { adminRoutes, createAccountCatalogs, createLogger } from '@leeward/http-admin';
import { quoteMigrations } from '@leeward/quotes';
import { benchmarkAccounts, benchmarkCatalog, benchmarkQuotes } from './place.ts';
import { answerParent } from './server-process.ts';

const [databaseUrl = '', redisUrl] = process.argv.slice(2);
const database = await openDatabase(databaseUrl, { migrations: [accountsMigrations, quoteMigrations] });
const catalog = benchmarkCatalog();
const accounts = benchmarkAccounts(database, catalog);
const quotes = benchmarkQuotes(database, accounts);
const leeward = createLeeward({
  directory: accounts.directory,
  underwriting: { catalog, organizations: createAccountCatalogs(catalog, accounts.directory) },
  distance: { coast: loadCoastlineUs() },
  quoting: { quotes },
  routes: adminRoutes({ accounts, quotes }),
  readiness: { database: () => database.ping() },
  // Counted, but never reached.
  rateLimit: { perMinute: 6e7, burst: 6e7 },
  ...(redisUrl !== undefined && {
    rateLimitStore: await createRedisRateLimitStore({ url: redisUrl, prefix: `leeward_bench_${process.pid}` }),
  }),
  logger: createLogger(),
});
const server = createServer(createNodeHandler(leeward));
// As `leeward serve` listens.
server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () =>
  answerParent((server.address() as AddressInfo).port),
);
