import type { Setting } from './setting.ts';

/** A setting's text as it may be printed. */
export function withoutSecrets(text: string, { secret }: Pick<Setting<unknown>, 'secret'>): string {
  if (secret === 'whole') return '(set, not shown)';
  if (secret === 'urls')
    return text
      .split(/[\s,]+/)
      .map(maskedUrl)
      .join(',');
  return secret === 'url' ? text.split(',').map(maskedUrl).join(',') : text;
}

/** A URL without password and query, where tokens are common. */
function maskedUrl(text: string): string {
  if (/^sqlite:/.test(text)) return text;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // An @ after the host: a password with # or / in it, whose remainder would be printed.
  const isTorn = url?.username === '' && url.password === '' && text.includes('@');
  if (url === undefined || isTorn) return `${/^[a-z][a-z0-9+.-]{0,20}:/i.exec(text)?.[0] ?? ''}…`;
  const who = url.username === '' && url.password === '' ? '' : `${url.username}${url.password && ':***'}@`;
  return `${url.protocol}//${who}${url.host}${url.pathname}${url.search && '?…'}`;
}
