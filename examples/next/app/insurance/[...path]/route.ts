// A route handler of Next's App Router: app/insurance/[...path]/route.ts handles all paths below /insurance. Imports
// with `.ts` need `"allowImportingTsExtensions": true` in Next's tsconfig.json.
import { leeward } from '../../../../insurance.ts';

// Next hands on parameters as a second argument, which Leeward would take for what the host knows of the connection.
const handle = (request: Request): Promise<Response> => leeward.fetch(request);

// Next answers methods that are not exported. With all of them exported, Leeward reports which methods a path accepts.
export {
  handle as DELETE,
  handle as GET,
  handle as HEAD,
  handle as OPTIONS,
  handle as PATCH,
  handle as POST,
  handle as PUT,
};
