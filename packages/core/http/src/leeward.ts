import type { Directory } from './access/directory.ts';
import { createAdmission, type OverloadLimits } from './admission/admission.ts';
import { createDeadlines } from './admission/deadlines.ts';
import { createFairTurns, type FairTurns } from './admission/fair-turns.ts';
import { toResponse, type WrittenAnswer } from './answer/answer.ts';
import type { DistancePorts } from './distance/distance-ports.ts';
import { writeSchemas } from './document/content-text.ts';
import { type OpenApiDocument, openApiDocument } from './document/open-api-document.ts';
import { logRequests, type RequestLogger } from './observe/log-requests.ts';
import type { Observer } from './observe/observer.ts';
import { createAnswerRequest } from './operation/answer-request.ts';
import type { RouteGroup } from './operation/operation.ts';
import { createRouteTable } from './operation/route-table.ts';
import { createMemoryRateLimitStore } from './rate-limit/memory-store.ts';
import {
  defaultAddressRateLimit,
  defaultItemLimit,
  defaultRateLimit,
  organizationLimitOf,
  type RateLimit,
} from './rate-limit/rate-limit.ts';
import type { RateLimitStore } from './rate-limit/rate-limit-store.ts';
import { createRateLimiter } from './rate-limit/rate-limiter.ts';
import type { IsTrustedProxy } from './request/client-address.ts';
import { type Incoming, incomingOf } from './request/incoming.ts';
import { distanceRoutes } from './routes/distance.ts';
import { operationalRoutes, type Readiness, type ReadinessWarnings } from './routes/operational.ts';
import { type QuotingPorts, quotingRoutes } from './routes/quoting/quoting-routes.ts';
import { referenceRoutes } from './routes/reference.ts';
import { ruleSetRoutes } from './routes/rule-sets.ts';
import { tokenRoutes } from './routes/token.ts';
import { type LinePorts, type UnderwritingPorts, underwritingRoutes } from './routes/underwriting.ts';
import { type Workbench, workbenchRoutes } from './routes/workbench.ts';
import { tracePort } from './trace/trace-port.ts';

/** What a host gives. A part whose ports are left out is not mounted. */
export interface LeewardOptions {
  readonly directory: Directory;
  /** Mounts `/v1/underwrite/…`, and `/v1/rule-sets/…` beside it. */
  readonly underwriting?: UnderwritingPorts;
  /**
   * Lines of business besides home, each with its carriers: mounts `/v1/underwrite/<line>` and `/v1/rule-sets/<line>` if
   * `underwriting` is mounted.
   *
   * @default []
   */
  readonly lines?: readonly LinePorts[];
  /**
   * Names of lines that will be mounted later: `/v1/underwrite/<line>` answers 501 `coming_soon`. Names of mounted lines
   * are ignored.
   *
   * @default []
   */
  readonly announcedLines?: readonly string[];
  /** Mounts `/v1/distance-to-coast`, and gives underwriting its distances. */
  readonly distance?: DistancePorts;
  /** Mounts `/api/v1/quote/…` and `/api/v1/rate/…`. */
  readonly quoting?: QuotingPorts;
  /**
   * JSON Schemas of files beside the rule set's, by file name: `rating-plan-1.json` is served at `/schemas/rating-plan-1.json`.
   * Each is written when it is first requested. @default none
   */
  readonly schemas?: Readonly<Record<string, () => object>>;
  /** Mounts the page for people at `/`, its files below `/workbench`. */
  readonly workbench?: Workbench;
  /** Groups of the host's own, behind the same guards. */
  readonly routes?: readonly RouteGroup[];
  /** Requests of each token; null for none. Default 600 a minute with bursts of 200. */
  readonly rateLimit?: RateLimit | null;
  /** Requests of all tokens of an organization together; null for none. Default five times that of a token. */
  readonly organizationRateLimit?: RateLimit | null;
  /**
   * Requests without a valid token (pages, documents, unknown paths, bad tokens), of each client address; null for none.
   * `/healthz` and `/readyz` are always answered. Default 1,200 a minute with bursts of 600.
   */
  readonly addressRateLimit?: RateLimit | null;
  /** True for the address of a proxy whose `X-Forwarded-For` names the client. Default: no proxy is trusted. */
  readonly isTrustedProxy?: IsTrustedProxy;
  /** Items of operations on many things, of each token and of each organization; null for none. Default 60,000 a minute, bursts of 5,000. */
  readonly itemLimit?: RateLimit | null;
  /** Default: counted in this process. */
  readonly rateLimitStore?: RateLimitStore;
  /** When new requests are turned away with 503 and `Retry-After`. Default: 1,000 at work, 250 ms behind, 128 MiB of bodies on their way. */
  readonly overload?: OverloadLimits;
  /** Whose turn it is, where work beside that of requests shares it; default one of its own, of `overload`. */
  readonly turns?: FairTurns;
  /** What takes longer is given up: 503, and its signal is aborted. Default 30,000; null for never. */
  readonly requestTimeoutMs?: number | null;
  /** What `/readyz` asks; each resolves when its part is usable. */
  readonly readiness?: Readiness;
  /** What `/readyz` tells besides, while all is usable: a stated risk. */
  readonly warnings?: ReadinessWarnings;
  /** One line a request. Default: no log. */
  readonly logger?: RequestLogger;
  /** Called for every request, besides the logger. */
  readonly observers?: readonly Observer[];
  /** Where a host mounts it without cutting the prefix off: `/insurance`. Default none. */
  readonly basePath?: string;
  /** Answers for people to read: JSON over several lines. Default false. */
  readonly indentAnswers?: boolean;
  /** Default 256 KiB. */
  readonly maxBodyBytes?: number;
}

/** A service that is mounted. `fetch` and `answer` never reject. */
export interface Leeward {
  /** A web-standard handler. Never rejects. `bindings` is what the host knows beside the request. */
  fetch(request: Request, bindings?: object): Promise<Response>;
  /** The same for a host whose requests are no web requests: `@leeward/http/node` stands on it. Never rejects. */
  answer(incoming: Incoming): Promise<WrittenAnswer>;
  /** Whose turn it is. A server tells it of each connection: `giveWay`. */
  readonly turns: FairTurns;
  /** OpenAPI 3.1 of what is mounted. */
  document(): OpenApiDocument;
}

/** Makes the service out of its ports. Starts nothing: no listening, no timer, no SDK. */
export function createLeeward(options: LeewardOptions): Leeward {
  const {
    basePath = '',
    maxBodyBytes = 256 * 1024,
    rateLimit = defaultRateLimit,
    organizationRateLimit = rateLimit && organizationLimitOf(rateLimit),
    itemLimit = defaultItemLimit,
    addressRateLimit = defaultAddressRateLimit,
    requestTimeoutMs = 30_000,
  } = options;
  const turns = options.turns ?? createFairTurns(options.overload);
  let document: OpenApiDocument | undefined;
  const leeward: Leeward = {
    async fetch(request, bindings) {
      return toResponse(await leeward.answer(incomingOf(request, bindings)), request.method);
    },
    answer(incoming) {
      const { path } = incoming;
      const isBelow = path.startsWith(basePath);
      return run(incoming, isBelow ? routes.find(incoming.method, path.slice(basePath.length)) : nowhere);
    },
    turns,
    document: () => (document ??= openApiDocument(groups, basePath === '' ? '/' : basePath)),
  };
  const { underwriting, distance, quoting, lines } = observedPorts(options);
  const placed = distance ? { distance } : {};
  const placedLines = lines.map((line) => ({ ...placed, ...line }));
  const groups: RouteGroup[] = [
    ...(underwriting ? [underwritingRoutes({ ...placed, ...underwriting }, placedLines, options.announcedLines)] : []),
    ...(underwriting ? [ruleSetRoutes(underwriting, placedLines)] : []),
    ...(distance ? [distanceRoutes(distance)] : []),
    ...(quoting
      ? [
          quotingRoutes(
            quoting,
            lines.map(({ line }) => line),
          ),
        ]
      : []),
    ...(options.routes ?? []),
    tokenRoutes(options.directory),
    operationalRoutes({
      readiness: options.readiness ?? {},
      warnings: options.warnings ?? [],
      async document(turn) {
        await writeSchemas(groups, turn);
        return leeward.document();
      },
    }),
  ];
  const pages = [
    referenceRoutes(basePath, { underwriting, lines, schemas: options.schemas }),
    ...(options.workbench ? [workbenchRoutes(options.workbench)] : []),
  ];
  const routes = createRouteTable([...groups, ...pages].flatMap(({ operations }) => operations));
  const run = createAnswerRequest({
    basePath,
    directory: options.directory,
    limiter: createRateLimiter(
      {
        token: rateLimit ?? undefined,
        organization: organizationRateLimit ?? undefined,
        items: itemLimit ?? undefined,
        address: addressRateLimit ?? undefined,
      },
      options.rateLimitStore ?? createMemoryRateLimitStore(),
    ),
    isTrustedProxy: options.isTrustedProxy,
    maxBodyBytes,
    admission: createAdmission(turns, options.overload),
    deadlines: requestTimeoutMs === null ? undefined : createDeadlines(requestTimeoutMs),
    indent: options.indentAnswers ? 2 : 0,
    observers: [...(options.logger ? [logRequests(options.logger)] : []), ...(options.observers ?? [])],
  });
  return leeward;
}

/** The ports that read a store or call a network, each call in a span. */
function observedPorts({ underwriting, lines = [], distance, quoting }: LeewardOptions) {
  const geocoder = distance?.geocoder && tracePort('geocoder', distance.geocoder);
  return {
    underwriting: underwriting && tracedOrganizations(underwriting),
    lines: lines.map(tracedOrganizations),
    distance: distance && geocoder ? { ...distance, geocoder } : distance,
    quoting: quoting && { ...quoting, quotes: tracePort('quotes', quoting.quotes) },
  };
}

function tracedOrganizations<Ports extends UnderwritingPorts>(ports: Ports): Ports {
  return ports.organizations ? { ...ports, organizations: tracePort('organizations', ports.organizations) } : ports;
}

const nowhere = { operation: undefined, methods: [] } as const;
