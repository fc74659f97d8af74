import { CallNotMadeError, codeOf, type PublicCaller } from '../outward/call-public.ts';
import type { DocumentContext, DocumentReference, OpenedDocument } from '../ports/carrier-adapter.ts';
import { failed } from './document-error.ts';

/**
 * Fetches a document from its address. Nothing of ours goes along but what HTTP needs: the address is all that opens it.
 *
 * @throws {DocumentError} of the kind `failed`, unless the signal was aborted.
 */
export async function fetchDocument(
  caller: PublicCaller,
  { url, mediaType }: DocumentReference,
  { signal }: DocumentContext,
): Promise<OpenedDocument> {
  // Compressed, its length would be another, and a small answer could be a large document.
  const headers = { accept: `${mediaType}, */*;q=0.5`, 'accept-encoding': 'identity' };
  const answer = await caller.call(new URL(url!), { method: 'GET', headers, signal }).catch((error: unknown) => {
    if (error instanceof CallNotMadeError) {
      throw failed(error.reason, `The address that the carrier gave cannot be called: ${error.reason}.`);
    }
    throw failed(`no_answer (${codeOf(error)})`, 'The carrier could not be reached.');
  });
  // What breaks off is told where the content is read.
  answer.on('error', () => {});
  const status = answer.statusCode ?? 0;
  const { 'content-encoding': encoding = 'identity', 'content-length': length } = answer.headers;
  if (status !== 200 || encoding.toLowerCase() !== 'identity') {
    answer.destroy();
    if (status !== 200) throw answered(status);
    throw failed('encoded', 'The carrier sent the document compressed, which it was asked not to do.');
  }
  return {
    content: answer,
    mediaType: answer.headers['content-type'],
    lengthBytes: length === undefined ? undefined : Number(length),
  };
}

function answered(status: number) {
  const what = status >= 300 && status < 400 ? 'with a redirect, which is not followed' : String(status);
  return failed(`http_${status}`, `The carrier answered ${what} when it was asked for this document.`);
}
