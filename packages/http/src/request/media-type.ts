import { Problem } from '../problem/problem.ts';

const json = /^application\/(?:[a-z0-9.!#$&^_-]+\+)?json$/;

/** Throws 415 unless the header says JSON in UTF-8, not compressed. */
export function requireJson(headers: Headers): void {
  const encoding = headers.get('content-encoding');
  if (encoding !== null && encoding.trim().toLowerCase() !== 'identity') {
    throw new Problem('unsupported_media_type', `The body is ${quote(encoding)}-encoded; send it plain.`, {
      headers: { 'accept-encoding': 'identity' },
    });
  }
  const type = headers.get('content-type');
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
