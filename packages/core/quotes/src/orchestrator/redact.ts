/*
 * Removes secrets from texts of unknown format. Bodies are treated as bytes (Latin-1 text), so that any encoding can be searched.
 *
 *   1. given secrets, in the forms in which a request or an answer may contain them
 *   2. values whose name suggests a secret: members of JSON, elements and attributes of XML, parameters of forms and addresses
 *
 * All repetitions are bounded, so that the time is linear in the length of the text.
 */

const MARK = '[redacted]';
/** A shorter secret may occur in other values by chance: it is removed only as a whole word. */
const MIN_SECRET_LENGTH = 8;

const name =
  '(?:authorization|cookie|api[-_]?key|(?:access|subscription|functions|client|private|license)[-_]?key|token|secret|passw|pwd|credential|signature|session[-_]?id)';
const secretName = new RegExp(name, 'i');
const jsonMember = new RegExp(
  String.raw`("[^"\\]{0,60}${name}[^"\\]{0,60}"\s{0,9}:\s{0,9})(?:"(?:[^"\\]|\\.)*"|-?[\d.eE+-]+)`,
  'gi',
);
const xmlElement = new RegExp(
  String.raw`(<(?:[\w.-]{1,60}:)?[\w.-]{0,60}${name}[\w.-]{0,60}(?:\s[^<>]{0,500})?>)[^<]+(?=<)`,
  'gi',
);
const xmlAttribute = new RegExp(
  String.raw`(\s[\w.:-]{0,60}${name}[\w.:-]{0,60}\s{0,9}=\s{0,9})(?:"[^"]*"|'[^']*')`,
  'gi',
);
const parameter = new RegExp(String.raw`((?:^|[?&;])[\w.%-]{0,60}${name}[\w.%-]{0,60}=)[^&\s"'<>]+`, 'gi');

export interface Redactor {
  text(text: string): string;
  bytes(bytes: Uint8Array): Buffer;
  headers(headers: Readonly<Record<string, string>>): Record<string, string>;
}

export function createRedactor(secrets: readonly string[]): Redactor {
  const forms = new Set(secrets.filter((secret) => secret !== '').flatMap(formsOf));
  // A secret may contain another: replace longer ones before shorter ones.
  const patterns = [...forms].sort((a, b) => b.length - a.length).map(patternOf);
  const latin1 = (text: string) => {
    const withoutSecrets = patterns.reduce((rest, pattern) => rest.replace(pattern, MARK), text);
    return withoutSecrets
      .replace(jsonMember, `$1"${MARK}"`)
      .replace(xmlElement, `$1${MARK}`)
      .replace(xmlAttribute, `$1"${MARK}"`)
      .replace(parameter, `$1${MARK}`);
  };
  const bytes = (input: Uint8Array) => Buffer.from(latin1(Buffer.from(input).toString('latin1')), 'latin1');
  const text = (input: string) => bytes(Buffer.from(input)).toString();
  return {
    text,
    bytes,
    headers: (headers) =>
      Object.fromEntries(
        Object.entries(headers).map(([key, value]) => [key, secretName.test(key) ? MARK : text(value)]),
      ),
  };
}

/** As Latin-1 text. */
function formsOf(secret: string): string[] {
  const utf8 = Buffer.from(secret);
  const wide = Buffer.from(secret, 'utf16le');
  const written = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret.toWellFormed()),
    new URLSearchParams({ '': secret }).toString().slice(1),
    secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    utf8.toString('base64'),
    utf8.toString('base64url'),
  ].map((form) => Buffer.from(form).toString('latin1'));
  return [...written, wide.toString('latin1'), Buffer.from(wide).swap16().toString('latin1')];
}

function patternOf(form: string): RegExp {
  const literal = form.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
  return new RegExp(form.length < MIN_SECRET_LENGTH ? `(?<![\\w.])${literal}(?![\\w.])` : literal, 'g');
}
