import { fileURLToPath } from 'node:url';

/** A destination of the audit log, as it is set. */
export type AuditDestinationSetting =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'syslog'; readonly host: string; readonly port: number; readonly isTls: boolean }
  | { readonly kind: 'webhook'; readonly url: string };

const ways =
  'give file:/var/log/audit.ndjson, syslog://host:514, syslog+tls://host:6514 or https://host/path, separated by commas';

/** @throws {RangeError} Without the text, which may contain a secret. */
export function readAuditDestinations(text: string): readonly AuditDestinationSetting[] {
  const texts = text.split(/[\s,]+/).filter((each) => each !== '');
  if (new Set(texts).size < texts.length) throw new RangeError('names a destination twice.');
  return texts.map((each, index) => readDestination(each, `destination ${index + 1}`));
}

function readDestination(text: string, which: string): AuditDestinationSetting {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return { kind: 'webhook', url: url.href };
  if (url?.protocol === 'file:' && /^file:\//i.test(text)) {
    if (url.host !== '' || url.pathname.endsWith('/')) {
      throw new RangeError(
        `has a ${which} that does not name a file of this machine; give file:/var/log/audit.ndjson.`,
      );
    }
    return { kind: 'file', path: fileURLToPath(url) };
  }
  const [, tls, rest = ''] = /^syslog(\+tls)?:\/\/([^/?#@]+)\/?$/i.exec(text) ?? [];
  // Unlike `syslog:`, `http:` has the usual rules for hosts.
  const place = rest !== '' && URL.canParse(`http://${rest}`) ? new URL(`http://${rest}`) : undefined;
  if (place === undefined) throw new RangeError(`has a ${which} of another kind; ${ways}.`);
  const isTls = tls !== undefined;
  // `http:` leaves out its usual port.
  const port = /:80$/.test(rest) ? 80 : Number(place.port) || (isTls ? 6514 : 514);
  return { kind: 'syslog', host: place.hostname.replace(/^\[(.*)\]$/, '$1'), port, isTls };
}

/** Secrets of Standard Webhooks. @throws {RangeError} Without the text. */
export function readWebhookSecrets(text: string): readonly string[] {
  const secrets = text.split(/[\s,]+/).filter((each) => each !== '');
  for (const secret of secrets) {
    const [, encoded = ''] = /^(?:whsec_)?([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
    const { length } = Buffer.from(encoded, 'base64');
    if (length < 24 || length > 64) {
      throw new RangeError(
        'is not a secret of Standard Webhooks; make one with echo whsec_$(openssl rand -base64 32).',
      );
    }
  }
  return secrets;
}
