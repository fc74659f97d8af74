import { CommandError } from '../../command-error.ts';

/** Names the address and the way out. */
export class DownloadError extends CommandError {
  /** True if a retry may succeed. */
  readonly isPassing: boolean;
  /** True if the file does not exist on the server. */
  readonly isMissing: boolean;

  constructor(message: string, { isPassing = false, isMissing = false } = {}) {
    super(message);
    this.isPassing = isPassing;
    this.isMissing = isMissing;
  }
}

/** Codes of a missing network; another address would fail too. */
const OFFLINE = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);

export function errorOfNetwork(error: unknown, url: string): DownloadError {
  const code = codeOf(error);
  if (code === undefined) throw error;
  const { host } = new URL(url);
  if (!OFFLINE.has(code)) {
    return new DownloadError(`${url}: cut (${code}); the same command goes on from there.`, { isPassing: true });
  }
  return new DownloadError(
    `${host} cannot be reached (${code}). coast fetch needs a network: fetch ${url} elsewhere and build from the file, or name a mirror with --base.`,
  );
}

export function errorOfStatus(status: number, url: string): DownloadError {
  if (status === 404 || status === 410) {
    const message = `${url}: there is no such file (${status}); another --year may have it, or a mirror (--base).`;
    return new DownloadError(message, { isMissing: true });
  }
  const isPassing = status === 429 || status >= 500;
  const way = isPassing ? 'the same command goes on later' : 'see the address in a browser, or name a mirror (--base)';
  return new DownloadError(`${url}: the server answers ${status}; ${way}.`, { isPassing });
}

/** `fetch` wraps the cause, once or twice. */
function codeOf(error: unknown): string | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    const { code } = each as NodeJS.ErrnoException;
    if (typeof code === 'string') return code;
    if (each instanceof AggregateError) {
      const inner = each.errors.map(codeOf).find((innerCode) => innerCode !== undefined);
      if (inner !== undefined) return inner;
    }
  }
  return error instanceof TypeError ? 'connection closed' : undefined;
}
