import { Problem } from '../problem/problem.ts';

const json = /^application\/(?:[a-z0-9.!#$&^_-]+\+)?json$/;

/** Throws 415 unless `Content-Type` and `Content-Encoding` say JSON in UTF-8, not compressed. */
export function requireJson(type: string | null, encoding: string | null): void {
  if (encoding !== null && encoding.trim().toLowerCase() !== 'identity') {
    throw new Problem('unsupported_media_type', `The body is ${quote(encoding)}-encoded; send it plain.`, {
      headers: { 'accept-encoding': 'identity' },
    });
  }
  if (type === 'application/json') return;
  if (type === null) throw notJson('no Content-Type');
  const [essence = '', ...parameters] = type.toLowerCase().split(';');
  const charset = parameters.map((each) => each.trim()).find((each) => each.startsWith('charset='));
  const utf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  if (!json.test(essence.trim()) || !utf8) throw notJson(`Content-Type ${quote(type)}`);
}

function notJson(received: string): Problem {
  return new Problem('unsupported_media_type', `The body came with ${received}; send application/json in UTF-8.`, {
    headers: { accept: 'application/json' },
  });
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}
