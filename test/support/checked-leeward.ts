import { type Contract, createContractCheck, describeFaults } from './contract-check.ts';

interface Served {
  fetch(request: Request, bindings?: object): Promise<Response>;
  document(): object;
}

/** Returns the same service, with each answer checked against its document. A mismatch rejects. */
export function checkedLeeward<Leeward extends Served>(leeward: Leeward): Leeward {
  let check: ReturnType<typeof createContractCheck> | undefined;
  return {
    ...leeward,
    async fetch(request: Request, bindings?: object): Promise<Response> {
      const response = await leeward.fetch(request, bindings);
      check ??= createContractCheck(JSON.parse(JSON.stringify(leeward.document())) as Contract);
      const { status, headers } = response;
      // A stream has no end to wait for.
      const isStream = headers.get('content-type') === 'text/event-stream';
      const text = isStream ? ':' : await response.clone().text();
      const answered = { method: request.method, path: new URL(request.url).pathname, status, headers, text };
      const faults = check.faultsOf(answered);
      if (faults.length > 0) throw new Error(describeFaults(answered, faults));
      return response;
    },
  };
}
