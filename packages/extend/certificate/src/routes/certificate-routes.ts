import { keyIdOf } from '@leeward/certificate/verify';
import type { Decider } from '@leeward/engine';
import {
  type Answer,
  checkBody,
  createContentText,
  type DistancePorts,
  type GuardedContext,
  guarded,
  type JsonSchema,
  jsonSchemaOf,
  locateCatalog,
  locateOrganization,
  type Operation,
  Problem,
  type RouteGroup,
  servedCatalog,
  type UnderwritingPorts,
  underwritingRequestContent,
} from '@leeward/http';
import { z } from 'zod';
import { certificateSchema } from '../content/certificate-schema.ts';
import { issueCertificate, type MapPorts } from '../issue/issue-certificate.ts';
import type { CertificateSigner } from '../keys/certificate-keys.ts';
import { createLetters, type WriteLetters } from '../letter/write-letters.ts';
import { pagePolicy } from '../page/certificate-page.ts';

/** The signer, and the ports of underwriting. */
export interface CertificatePorts {
  readonly signer: CertificateSigner;
  /** As for `createLeeward`. */
  readonly underwriting: UnderwritingPorts;
  /** As for `createLeeward`. If omitted, distances stay unknown. */
  readonly distance?: DistancePorts;
  /** If omitted, pages have no map. */
  readonly map?: MapPorts;
  /** Name of the service, or of an organization. @default none */
  readonly issuerOf?: (organizationId: string | null) => string | undefined | Promise<string | undefined>;
  /** Letters of an organization. @default letters in English */
  readonly lettersOf?: (organizationId: string | null) => WriteLetters | Promise<WriteLetters>;
}

const tag = 'certificates';
const access = { scopes: ['underwrite'] };
/** A certificate takes as long as some tens of explanations, mostly for its map. */
const ITEMS_PER_CERTIFICATE = 50;

const text = z.string().trim().min(1).max(200);

const request = z
  .strictObject({
    home: z.record(z.string(), z.unknown()).meta({ description: 'The home, as for `/v1/underwrite/home`.' }),
    prepared_for: text.nullish().meta({ description: 'The recipient, on the page and in letters.' }),
    reference: text.nullish().meta({ description: 'Your own number, on the page and in letters.' }),
    include_letters: z
      .boolean()
      .nullish()
      .meta({ description: 'Adds a letter for each carrier that declined. Default false.' }),
    format: z
      .enum(['json', 'page'])
      .nullish()
      .meta({ description: 'Default: the page if the header field `Accept` names `text/html`, else JSON.' }),
  })
  .meta({ id: 'CertificateRequest' });

const keySetSchema = z
  .object({
    keys: z.array(
      z.object({
        kty: z.literal('OKP'),
        crv: z.literal('Ed25519'),
        x: z.string(),
        kid: z.string().meta({ description: 'Thumbprint of the key (RFC 7638).' }),
        alg: z.literal('EdDSA'),
        use: z.literal('sig'),
      }),
    ),
  })
  .meta({ id: 'CertificateKeys' });

/**
 * `/v1/certificate`: signed evidence for a home, and the public keys.
 *
 * @example
 * createLeeward({ directory, underwriting, distance, routes: [certificateRoutes({ signer, underwriting, distance })] });
 */
export function certificateRoutes(ports: CertificatePorts): RouteGroup {
  const catalog = servedCatalog(ports.underwriting.catalog);
  const examples = {
    harris: {
      summary: 'A home in Florida, with letters',
      value: {
        home: { state: 'fl', county: 'miami-dade', policy_type: 'ho3', roof_type: '3-tab shingle', roof_age: 22 },
        prepared_for: 'Pat Doe',
        include_letters: true,
      },
    },
  };
  const requestBody = {
    name: 'CertificateRequest',
    get schema() {
      return requestSchema(
        underwritingRequestContent('HomeUnderwritingRequest', catalog.latest.vocabulary, undefined).schema,
      );
    },
    examples,
  };
  const shared = {
    method: 'post',
    tag,
    access,
    requestBody,
    problems: ['unavailable'],
    answers: {
      200: {
        description: 'The certificate, or its page.',
        content: createContentText('Certificate', certificateSchema, 'output'),
        otherTypes: ['text/html'],
      },
    },
  } as const;
  const description =
    'Decides on the home and signs the answer: every verdict with the rules that decided, limits, values and their sources, distances with their shores, hashes and versions. The page shows the same and contains the JSON. Keep either byte by byte. It is appetite only, not a binder.';
  return {
    name: tag,
    description: 'Signed evidence for a home.',
    operations: [
      guarded<Decider>({
        ...shared,
        path: '/v1/certificate',
        operationId: 'issueCertificate',
        summary: 'Issue a certificate for a home across all carriers',
        description,
        locate: () => locateCatalog(catalog),
        handle: (call) => issue(call, null, ports),
      }),
      guarded<Decider>({
        ...shared,
        path: '/v1/certificate/{organization_id}',
        operationId: 'issueCertificateForOrganization',
        summary: 'Issue a certificate for a home across an organization’s carriers',
        description: 'With the carriers of the organization, under its overrides.',
        parameters: {
          organization_id: {
            description: 'The organization’s identifier.',
            example: 'org_01jd4v3x9m8k7h2q5t6w0y1z2a',
          },
        },
        locate: ({ params, caller }) =>
          locateOrganization(params['organization_id'] ?? '', caller, ports.underwriting.organizations),
        handle: (call) => issue(call, call.params['organization_id'] ?? null, ports),
      }),
      keysOperation(ports.signer),
    ],
  };
}

function keysOperation(signer: CertificateSigner): Operation {
  return {
    method: 'get',
    path: '/v1/certificate-keys',
    operationId: 'certificateKeys',
    tag,
    access: 'anyone',
    summary: 'The public keys of certificates',
    description:
      'A JSON Web Key Set: the key that signs now, then earlier ones. Keep a copy to verify certificates offline.',
    answers: {
      200: { description: 'The keys.', content: createContentText('CertificateKeys', keySetSchema, 'output') },
    },
    handle: () => ({
      status: 200,
      headers: { 'cache-control': 'public, max-age=300' },
      body: {
        keys: signer.keys.map(({ kty, crv, x }) => ({
          kty,
          crv,
          x,
          kid: keyIdOf({ kty, crv, x }),
          alg: 'EdDSA',
          use: 'sig',
        })),
      },
    }),
  };
}

/** With the schema of homes in place of any object. */
function requestSchema(home: JsonSchema): JsonSchema {
  const { $defs, ...schema } = home;
  const { properties, ...own } = jsonSchemaOf(request, 'input');
  const { description } = (properties as Record<string, JsonSchema>)['home']!;
  return {
    ...own,
    properties: { ...(properties as object), home: { description, $ref: '#/$defs/HomeUnderwritingRequest' } },
    $defs: { ...($defs as object | undefined), HomeUnderwritingRequest: schema },
  };
}

async function issue(
  context: GuardedContext<Decider>,
  organizationId: string | null,
  { signer, underwriting, map, issuerOf, lettersOf, ...ports }: CertificatePorts,
): Promise<Answer> {
  const { clock = () => new Date(), hazardEvents, capture } = underwriting;
  const { home, prepared_for, reference, include_letters, format } = checkBody(request, context.json);
  await context.countItems(ITEMS_PER_CERTIFICATE);
  const owner = organizationId ?? context.caller.organizationId;
  const issuer = await issuerOf?.(owner);
  const writeLetters = include_letters ? ((await lettersOf?.(owner)) ?? usualLetters()) : undefined;
  const { json, page } = await issueCertificate(home, {
    decider: context.resource,
    now: clock(),
    distance: underwriting.distance ?? ports.distance,
    hazardEvents,
    caller: context,
    remainingMs: context.remainingMs,
    traceId: context.requestId,
    organizationId,
    turn: context.turn,
    countItems: (items) => context.countItems(items),
    capture: capture && { by: capture, organizationId: owner },
    signer,
    issuer,
    preparedFor: prepared_for ?? undefined,
    reference: reference ?? undefined,
    writeLetters,
    map,
  }).catch((error: unknown) => {
    throw withPathsOfHome(error);
  });
  const isPage = format ? format === 'page' : (context.header('accept') ?? '').includes('text/html');
  if (!isPage) return { status: 200, text: json };
  return {
    status: 200,
    text: page,
    contentType: 'text/html; charset=utf-8',
    headers: { 'content-security-policy': pagePolicy },
  };
}

let letters: WriteLetters | undefined;

function usualLetters(): WriteLetters {
  letters ??= createLetters();
  return letters;
}

/** Paths of faults start at the request. */
function withPathsOfHome(error: unknown): unknown {
  if (!(error instanceof Problem) || error.options.errors === undefined) return error;
  const errors = error.options.errors.map((fault) => ({ ...fault, path: `/home${fault.path}` }));
  return new Problem(error.code, error.message, { ...error.options, errors });
}
