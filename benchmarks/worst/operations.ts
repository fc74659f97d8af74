import type { Contract } from '../../test/support/contract-check.ts';
import { type CostlyRequest, costlyRequests } from '../../test/support/fuzz/costly-requests.ts';
import { settleTenant } from '../../test/support/fuzz/fuzzed-tenants.ts';
import type { Service } from './service.ts';

const AT_ONCE = 16;
/** Streams are closed after this time. */
const MAX_ANSWER_MS = 2_000;

/** Expensive requests of each operation of the served document, and of the pages. */
export async function requestsOfOperations(service: Service) {
  const url = `http://127.0.0.1:${service.port}`;
  const contract = (await (await fetch(`${url}/openapi.json`)).json()) as Contract;
  const settled = await settleTenant(url, 'costly');
  const endpoint = { team_id: settled.team_id, url: 'https://crm.invalid/leeward' };
  const { webhook_id = '' } = (await service.admin('webhooks/create', endpoint)).body;
  const tenant = { ...settled, things: { ...settled.things, webhook_id: [webhook_id] } };
  return { url, requests: costlyRequests({ contract, tenant, operatorToken: service.operatorToken }) };
}

/** Sends requests again and again, and returns the statuses of those that a caller with a token sent. */
export async function sendCostly(
  url: string,
  requests: readonly CostlyRequest[],
  signal: AbortSignal,
): Promise<number[]> {
  const statuses = new Set<number>();
  let next = 0;
  const work = async () => {
    while (!signal.aborted) {
      const { method, path, headers, body } = requests[next++ % requests.length]!;
      try {
        const response = await fetch(`${url}${path}`, {
          ...{ method, headers, signal: AbortSignal.any([signal, AbortSignal.timeout(MAX_ANSWER_MS)]) },
          ...(body !== undefined && { body }),
        });
        statuses.add(response.status);
        await response.arrayBuffer();
      } catch {
        // The end, a closed stream, or a broken connection.
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return [...statuses].sort();
}
