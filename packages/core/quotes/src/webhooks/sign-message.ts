import { createHmac } from 'node:crypto';

/** A signed message: the header fields of Standard Webhooks, and the text that they sign. */
export interface SignedText {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Signs JSON by Standard Webhooks, once with each secret. */
export function signed(id: string, message: object, secrets: readonly string[], at: Date): SignedText {
  return signedText(id, JSON.stringify(message), secrets, at);
}

/** @throws {RangeError} if a secret is empty. */
export function signedText(id: string, body: string, secrets: readonly string[], at: Date): SignedText {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = keyOf(secret);
    if (key === undefined) throw new RangeError('A secret of Standard Webhooks is empty.');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Leeward-Webhooks',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatures.join(' '),
    },
  };
}

/** The bytes of a secret in base64, with or without prefix and padding. Undefined without a byte, because anybody could sign. */
export function keyOf(secret: string): Buffer | undefined {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return key.length === 0 ? undefined : key;
}
