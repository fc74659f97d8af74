import type { Directory } from './access/directory.ts';
import { createAdmission, type OverloadLimits } from './admission/admission.ts';
import { createDeadlines } from './admission/deadlines.ts';
import { createFairScheduler, type FairScheduler } from './admission/fair-scheduler.ts';
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
import { announcedRoutes } from './routes/announced-lines.ts';
import { distanceRoutes } from './routes/distance.ts';
import { operationalRoutes, type Readiness, type ReadinessWarnings } from './routes/operational.ts';
import type { QuotingPorts } from './routes/quoting/quoting-ports.ts';
import { quotingRoutes } from './routes/quoting/quoting-routes.ts';
import { referenceRoutes } from './routes/reference.ts';
import { ruleSetRoutes } from './routes/rule-sets.ts';
import { tokenRoutes } from './routes/token.ts';
import { type LinePorts, type UnderwritingPorts, underwritingRoutes } from './routes/underwriting.ts';
import { type Workbench, workbenchRoutes } from './routes/workbench.ts';
import { tracePort } from './trace/trace-port.ts';

/** Ports and settings of a service. */
export interface LeewardOptions {
  readonly directory: Directory;
  /** `/v1/underwrite/…`, `/v1/rule-sets/…`. If omitted, they are not mounted. */
  readonly underwriting?: UnderwritingPorts;
  /**
   * Further lines with their carriers, mounted at `/v1/underwrite/<line>` and `/v1/rule-sets/<line>` with `underwriting`.
   *
   * @default []
   */
  readonly lines?: readonly LinePorts[];
  /**
   * Lines to come: `/v1/underwrite/<line>` answers 501 `coming_soon`. Mounted lines are ignored.
   *
   * @default []
   */
  readonly announcedLines?: readonly string[];
  /** `/v1/distance-to-coast`, and distances for underwriting. If omitted, neither. */
  readonly distance?: DistancePorts;
  /** `/api/v1/quote/…`, `/api/v1/rate/…`. If omitted, they are not mounted. */
  readonly quoting?: QuotingPorts;
  /**
   * JSON Schemas by file name, served below `/schemas/`. Made on the first request.
   *
   * @default {}
   */
  readonly schemas?: Readonly<Record<string, () => object>>;
  /** The page, at `/` and below `/workbench`. If omitted, there is no page. */
  readonly workbench?: Workbench;
  /** Further groups of routes, behind the same guards. @default [] */
  readonly routes?: readonly RouteGroup[];
  /** Requests per token; null: unlimited. If omitted, 600 a minute with bursts of 200. */
  readonly rateLimit?: RateLimit | null;
  /** Requests per organization; null: unlimited. If omitted, five times `rateLimit`. */
  readonly organizationRateLimit?: RateLimit | null;
  /**
   * Requests without a valid token, per client address; null: unlimited. Exempt: `/healthz`, `/readyz`. If omitted, 1,200 a minute with
   * bursts of 600.
   */
  readonly addressRateLimit?: RateLimit | null;
  /** True for a proxy whose `X-Forwarded-For` is trusted. If omitted, none is. */
  readonly isTrustedProxy?: IsTrustedProxy;
  /** Items of batch operations, per token and per organization; null: unlimited. If omitted, 60,000 a minute with bursts of 5,000. */
  readonly itemLimit?: RateLimit | null;
  /** Counts requests. If omitted, in this process. */
  readonly rateLimitStore?: RateLimitStore;
  /** Above these limits requests get 503 with `Retry-After`. If omitted, the defaults of `OverloadLimits`. */
  readonly overload?: OverloadLimits;
  /** Shared with other work of the process. If omitted, a new one with `overload`. */
  readonly scheduler?: FairScheduler;
  /** Timeout of a request, in ms: 503, and its signal is aborted; null: none. @default 30_000 */
  readonly requestTimeoutMs?: number | null;
  /** Checks of `/readyz` by name; each resolves if its part is usable. @default {} */
  readonly readiness?: Readiness;
  /** Risks that `/readyz` reports. @default [] */
  readonly warnings?: ReadinessWarnings;
  /** Receives one line per request. If omitted, there is no log. */
  readonly logger?: RequestLogger;
  /** Called for every request. @default [] */
  readonly observers?: readonly Observer[];
  /** Prefix of the service in paths: `/insurance`. @default '' */
  readonly basePath?: string;
  /** Indents JSON. @default false */
  readonly indentAnswers?: boolean;
  /** In bytes. @default 262_144 */
  readonly maxBodyBytes?: number;
}

/** A service. `fetch` and `answer` never reject. */
export interface Leeward {
  /** `bindings` hold the address of the client. */
  fetch(request: Request, bindings?: object): Promise<Response>;
  /** Like `fetch`, for hosts without web requests. */
  answer(incoming: Incoming): Promise<WrittenAnswer>;
  /** A server calls its `giveWay` for each connection. */
  readonly scheduler: FairScheduler;
  /** OpenAPI 3.1. */
  document(): OpenApiDocument;
}

/**
 * Makes a service from its ports. Starts no server and no timer.
 *
 * @example
 * const leeward = createLeeward({ directory: createKeyHolder([key]), underwriting: { catalog } });
 * const response = await leeward.fetch(request);
 */
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
  const scheduler = options.scheduler ?? createFairScheduler(options.overload);
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
    scheduler,
    document: () => (document ??= openApiDocument(groups, basePath === '' ? '/' : basePath)),
  };
  const { underwriting, distance, quoting, lines } = observedPorts(options);
  const placed = distance ? { distance } : {};
  const placedLines = lines.map((line) => ({ ...placed, ...line }));
  const groups: RouteGroup[] = [
    ...(underwriting ? [underwritingRoutes({ ...placed, ...underwriting }, placedLines)] : []),
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
    ...(underwriting ? announcedRoutes(underwriting, placedLines, options.announcedLines ?? []) : []),
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
    admission: createAdmission(scheduler, options.overload),
    deadlines: requestTimeoutMs === null ? undefined : createDeadlines(requestTimeoutMs),
    indent: options.indentAnswers ? 2 : 0,
    observers: [...(options.logger ? [logRequests(options.logger)] : []), ...(options.observers ?? [])],
  });
  return leeward;
}

/** Each call runs in a span. */
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
