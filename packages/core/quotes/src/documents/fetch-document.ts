import { CallNotMadeError, codeOf, type PublicCaller } from '../outward/call-public.ts';
import type { DocumentContext, DocumentReference, OpenedDocument } from '../ports/carrier-adapter.ts';
import { failed } from './document-error.ts';

/** Without credentials. @throws {DocumentError} of kind `failed`, unless the signal was aborted. */
export async function fetchDocument(
  caller: PublicCaller,
  { url, mediaType }: DocumentReference,
  { signal }: DocumentContext,
): Promise<OpenedDocument> {
  // Uncompressed, the length is known, and a small response cannot expand.
  const headers = { accept: `${mediaType}, */*;q=0.5`, 'accept-encoding': 'identity' };
  const answer = await caller.call(new URL(url!), { method: 'GET', headers, signal }).catch((error: unknown) => {
    if (error instanceof CallNotMadeError) {
      throw failed(error.reason, `The address that the carrier gave cannot be called: ${error.reason}.`);
    }
    throw failed(`no_answer (${codeOf(error)})`, 'The carrier could not be reached.');
  });
  // The reader of the content gets the error.
  answer.on('error', () => {});
  const status = answer.statusCode ?? 0;
  const { 'content-encoding': encoding = 'identity', 'content-length': length } = answer.headers;
  if (status !== 200 || encoding.toLowerCase() !== 'identity') {
    answer.destroy();
    if (status !== 200) throw answered(status);
    throw failed('encoded', 'The carrier sent the document compressed, although no compression was requested.');
  }
  return {
    content: answer,
    mediaType: answer.headers['content-type'],
    lengthBytes: length === undefined ? undefined : Number(length),
  };
}

function answered(status: number) {
  const what = status >= 300 && status < 400 ? 'with a redirect, which is not followed' : String(status);
  return failed(`http_${status}`, `The carrier answered ${what} to the request for this document.`);
}
