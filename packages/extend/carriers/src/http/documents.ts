import type {
  CarrierAdapter,
  CarrierAnswer,
  DocumentContext,
  DocumentReference,
  LookupAnswer,
  OpenedDocument,
} from '@leeward/quotes';
import { CarrierFault } from '@leeward/quotes';
import { allowedAddress } from './allowed-address.ts';
import type { Auth } from './auth/auth.ts';
import type { HttpCarrierFile } from './schema.ts';
import { fillSecrets, type Secrets } from './secrets.ts';
import { type Fetch, faultOf } from './send-http.ts';

/**
 * For documents that need credentials: the adapter keeps their addresses, never publishes them, and checks them again before sending
 * credentials.
 */
export function withDocuments(
  adapter: CarrierAdapter,
  file: HttpCarrierFile,
  how: { readonly auth: Auth; readonly secrets: Secrets; readonly fetch: Fetch },
): CarrierAdapter {
  const { documents } = file;
  if (documents === undefined) return adapter;
  // Values of fields begin after the host.
  const base = fillSecrets(file.request.url.split('{{')[0]!, how.secrets);
  const { resume, lookup, verifyCallback } = adapter;
  return {
    ...adapter,
    quote: async (request, context) => keepAddresses(await adapter.quote(request, context)),
    ...(resume && { resume: async (request, context) => keepAddresses(await resume(request, context)) }),
    ...(lookup && {
      async lookup(request, context): Promise<LookupAnswer> {
        const result = await lookup(request, context);
        return result.status === 'found' ? { ...result, answer: keepAddresses(result.answer) } : result;
      },
    }),
    ...(verifyCallback && {
      async verifyCallback(callback) {
        const verified = await verifyCallback(callback);
        return { ...verified, answer: verified.answer && keepAddresses(verified.answer) };
      },
    }),
    async openDocument({ keep, mediaType }: DocumentReference, context: DocumentContext): Promise<OpenedDocument> {
      const address = allowedAddress(String(keep?.['address'] ?? ''), base, documents.origins);
      if (address === undefined) {
        throw refused('document_elsewhere', "The carrier's file does not allow the address of the document.");
      }
      return openAt(address, mediaType, context, how);
    },
  };
}

function keepAddresses(answer: CarrierAnswer): CarrierAnswer {
  if (answer.documents === undefined) return answer;
  return {
    ...answer,
    documents: answer.documents.map(({ url = '', ...document }) => ({ ...document, keep: { address: url } })),
  };
}

async function openAt(
  url: string,
  mediaType: string,
  { signal, beforeRequest }: DocumentContext,
  { auth, fetch }: { readonly auth: Auth; readonly fetch: Fetch },
): Promise<OpenedDocument> {
  const send = async () => {
    const headersOfAuth = await auth.headers(signal);
    await beforeRequest();
    // Uncompressed: the length must be right, and a small answer must not expand.
    const headers = { accept: `${mediaType}, */*;q=0.5`, 'accept-encoding': 'identity', ...headersOfAuth };
    try {
      return { headersOfAuth, answer: await fetch(url, { method: 'GET', headers, signal, redirect: 'manual' }) };
    } catch (error) {
      throw faultOf(error);
    }
  };
  const first = await send();
  const isStale = first.answer.status === 401 && auth.refused(first.headersOfAuth);
  if (isStale) await first.answer.body?.cancel();
  const { answer } = isStale ? await send() : first;
  const encoding = answer.headers.get('content-encoding') ?? 'identity';
  if (answer.status !== 200 || answer.body === null || encoding.toLowerCase() !== 'identity') {
    await answer.body?.cancel();
    if (answer.status !== 200) throw refused(`http_${answer.status}`, `The carrier answered ${answer.status}.`);
    throw refused('encoded', 'The carrier compressed the document although the request forbids it.');
  }
  const length = answer.headers.get('content-length');
  return {
    content: answer.body,
    mediaType: answer.headers.get('content-type') ?? undefined,
    lengthBytes: length === null ? undefined : Number(length),
  };
}

function refused(code: string, message: string): CarrierFault {
  return new CarrierFault(message, { kind: 'refused', code });
}
