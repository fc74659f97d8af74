// Shared by all examples: a service with two invented carriers and one key, mounted below a prefix.
import { randomBytes } from 'node:crypto';
import { loadCoastlineUs } from '@leeward/coastline-us';
import { createCatalog } from '@leeward/engine';
import { createKeyHolder, createLeeward } from '@leeward/http';
import { createMetrics, metricsRoutes } from '@leeward/http-admin';
import { shippedLines } from '@leeward/lines';
import bluestemMutual from './carriers/bluestem_mutual.json' with { type: 'json' };
import saltgrassShore from './carriers/saltgrass_shore.json' with { type: 'json' };

/** Path prefix of the service. The hosts keep it, so that /insurance/openapi.json lists paths as clients call them. */
export const prefix = '/insurance';

// Replace with your secret store. Format: `lw_`, an environment, an id that logs may show, a secret.
const configuredKey = process.env['LEEWARD_KEY'];
const key = configuredKey || `lw_example_${randomBytes(13).toString('hex')}_${randomBytes(32).toString('hex')}`;

const metrics = createMetrics();

/** Starts nothing: it answers when a host hands it a request. */
export const leeward = createLeeward({
  basePath: prefix,
  directory: createKeyHolder([{ token: key, scopes: ['underwrite', 'distance'] }]),
  underwriting: { catalog: createCatalog([{ file: bluestemMutual }, { file: saltgrassShore }]) },
  distance: { coast: loadCoastlineUs() },
  // Both are optional: 501 for lines of business that are not served, and `/metrics` for the operator's token.
  announcedLines: [...shippedLines.keys()],
  observers: [metrics.observer],
  routes: [metricsRoutes(metrics)],
});

/** Port of every example. 0 for any free port. */
export const port = Number(process.env['PORT'] ?? 3000);
export const hostname = '127.0.0.1';

/** Says where it listens and what to paste. */
export function announce(actualPort: number): void {
  const url = `http://${hostname}:${actualPort}${prefix}`;
  console.log(`Listening. All operations are documented at ${url}/docs. To underwrite a home:

curl -s ${url}/v1/underwrite/home \\
  -H 'content-type: application/json' -H "authorization: Bearer ${configuredKey ? '$LEEWARD_KEY' : key}" \\
  -d '{"state": "fl", "county": "marion", "policy_type": "ho3", "roof_type": "metal", "roof_age": 8, "lat": 29.19, "lng": -82.13}'
`);
}
