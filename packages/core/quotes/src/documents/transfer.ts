import { orAborted } from '@leeward/terms';
import type { OpenedDocument } from '../ports/carrier-adapter.ts';
import { mediaTypeOf } from '../ports/media-type.ts';
import { DocumentError, failed } from './document-error.ts';

export interface TransferLimits {
  readonly maxBytes: number;
  readonly firstByteMs: number;
  /** Until the last byte was read. */
  readonly timeoutMs: number;
}

/** `abandoned`: the reader closed it. */
export interface TransferEnd {
  readonly fate: 'sent' | 'failed' | 'abandoned';
  readonly reason: string | undefined;
  readonly bytes: number;
}

/** The first bytes have arrived. */
export interface Transfer {
  readonly lengthBytes: number | undefined;
  /** Undefined at the end. Rejects if it breaks off: the bytes are not the document. */
  read(): Promise<Uint8Array | undefined>;
  /** Aborts the carrier's request. */
  close(): void;
}

/** Waits for the first bytes, so that earlier errors can be reported as such. @param signal Aborted when the reader is gone. */
export async function beginTransfer(
  open: (signal: AbortSignal) => Promise<OpenedDocument>,
  declaredType: string,
  limits: TransferLimits,
  caller: AbortSignal,
  ended: (end: TransferEnd) => void,
): Promise<Transfer> {
  const { maxBytes, firstByteMs, timeoutMs } = limits;
  const stop = new AbortController();
  const { signal } = stop;
  const late = (ms: number) => {
    const message = `The carrier did not send this document within ${ms} ms.`;
    stop.abort(new DocumentError(message, { kind: 'timed_out', reason: 'timeout' }));
  };
  const giveUp = () => stop.abort(failed('caller_gone', 'The reader closed the document.'));
  const untilFirst = setTimeout(late, firstByteMs, firstByteMs);
  const untilLast = setTimeout(late, timeoutMs, timeoutMs);
  caller.addEventListener('abort', giveUp, { once: true });
  if (caller.aborted) giveUp();

  let bytes = 0;
  let content: AsyncIterator<Uint8Array> | undefined;
  let isOver = false;
  let failure: DocumentError | undefined;
  const end = (fate: TransferEnd['fate'], reason?: string) => {
    if (isOver) return;
    isOver = true;
    clearTimeout(untilFirst);
    clearTimeout(untilLast);
    caller.removeEventListener('abort', giveUp);
    // Ends the connection, also of an adapter that ignores its signal.
    if (fate !== 'sent') {
      stop.abort();
      letGo(content);
    }
    ended({ fate, reason, bytes });
  };
  const broken = (thrown: unknown): DocumentError => {
    failure ??= asDocumentError(signal.aborted ? signal.reason : thrown);
    end(failure.reason === 'caller_gone' ? 'abandoned' : 'failed', failure.reason);
    return failure;
  };

  let lengthBytes: number | undefined;
  const next = async (): Promise<Uint8Array | undefined> => {
    for (;;) {
      const { done, value } = await orAborted(content!.next(), signal);
      if (done) {
        if (lengthBytes !== undefined && bytes < lengthBytes) throw brokenOff();
        end('sent');
        return undefined;
      }
      bytes += value.byteLength;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      if (lengthBytes !== undefined && bytes > lengthBytes) throw brokenOff();
      if (value.byteLength > 0) return value;
    }
  };

  let first: Uint8Array | undefined;
  let isFirst = true;
  try {
    const opening = open(signal);
    opening.then(
      (late) => isOver && letGo(late.content[Symbol.asyncIterator]()),
      () => {},
    );
    const opened = await orAborted(opening, signal);
    content = opened.content[Symbol.asyncIterator]();
    const statedLength = opened.lengthBytes;
    lengthBytes =
      statedLength !== undefined && Number.isSafeInteger(statedLength) && statedLength >= 0 ? statedLength : undefined;
    if (lengthBytes !== undefined && lengthBytes > maxBytes) throw tooLarge(maxBytes);
    checkType(opened.mediaType, declaredType);
    first = await next();
    clearTimeout(untilFirst);
  } catch (thrown) {
    throw broken(thrown);
  }
  return {
    lengthBytes,
    async read() {
      if (isFirst) {
        isFirst = false;
        return first;
      }
      if (failure !== undefined) throw failure;
      if (isOver) return undefined;
      try {
        return await next();
      } catch (thrown) {
        throw broken(thrown);
      }
    },
    close: () => end('abandoned', 'caller_gone'),
  };
}

/** Many carriers send `application/octet-stream`; any other type is not the document. */
function checkType(sent: string | undefined, declared: string): void {
  const type = sent === undefined ? declared : mediaTypeOf(sent);
  const ofNoKind = 'application/octet-stream';
  if (type === declared || type === ofNoKind || declared === ofNoKind) return;
  throw failed('other_media_type', `The carrier sent ${type ?? 'no media type'} where ${declared} was announced.`);
}

function tooLarge(maxBytes: number): DocumentError {
  return failed('too_large', `The document is larger than the ${maxBytes} bytes that are passed on.`);
}

function brokenOff(): DocumentError {
  return failed('broken_off', 'The carrier did not send the whole document.');
}

function asDocumentError(thrown: unknown): DocumentError {
  if (thrown instanceof DocumentError) return thrown;
  return brokenOff();
}

function letGo(content: AsyncIterator<Uint8Array> | undefined): void {
  void Promise.resolve(content?.return?.()).catch(() => {});
}
