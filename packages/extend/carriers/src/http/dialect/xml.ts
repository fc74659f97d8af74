import { CarrierFault } from '@leeward/quotes';
import { isObject, type JsonObject, type JsonValue } from '@leeward/terms';
import { XMLBuilder, XMLParser, XMLValidator } from 'fast-xml-parser';

const naming = { ignoreAttributes: false, attributeNamePrefix: '@', textNodeName: '#text' } as const;
const asText = {
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: true,
  processEntities: true,
  htmlEntities: true,
} as const;
const parser = new XMLParser({
  ...naming,
  ...asText,
  ignoreDeclaration: true,
  ignorePiTags: true,
  removeNSPrefix: true,
});
const exactParser = new XMLParser({ ...naming, ...asText, ignoreDeclaration: true, ignorePiTags: true });
const builder = new XMLBuilder({ ...naming, format: false, suppressEmptyNode: true, processEntities: true });

/**
 * Elements by name, attributes as `@name`, text next to elements as `#text`, repeated elements as lists, without prefixes. Undefined for
 * invalid XML and with a DOCTYPE.
 */
export function parseXml(text: string, { prefixes = false } = {}): JsonObject | undefined {
  // Entities can expand without limit and read files; without a DOCTYPE only predefined ones exist.
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) return undefined;
  try {
    if (XMLValidator.validate(text) !== true) return undefined;
    const value: unknown = (prefixes ? exactParser : parser).parse(text);
    // The validator accepts a second root after an empty first one.
    return isObject(value) && Object.keys(value).length === 1 ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

/** @throws {CarrierFault} for characters that XML cannot represent. */
export function writeXml(root: string, content: JsonObject): string {
  checkText(content, '');
  return `<?xml version="1.0" encoding="UTF-8"?>${builder.build({ [root]: content })}`;
}

/** Control characters except tab and line breaks (XML 1.0). */
const unwritable = /(?![\t\n\r])[\p{Cc}\ufffe\uffff]/u;

function checkText(value: JsonValue, path: string): void {
  if (typeof value === 'object' && value !== null) {
    for (const [key, each] of Object.entries(value)) checkText(each as JsonValue, `${path}/${key}`);
    return;
  }
  if (typeof value !== 'string' || (value.isWellFormed() && !unwritable.test(value))) return;
  const message = `The value at ${path} of the carrier's document contains a character that XML cannot represent.`;
  throw new CarrierFault(message, { kind: 'invalid', code: 'unencodable_value', nothingMade: true });
}
