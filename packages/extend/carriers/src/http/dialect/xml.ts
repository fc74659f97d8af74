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
 * XML as an object: elements by name, attributes as `@name`, text beside them as `#text`, what comes again as a list; prefixes
 * of namespaces are left out. Undefined where it is none. Document types are refused with all that they can define.
 */
export function parseXml(text: string, { prefixes = false } = {}): JsonObject | undefined {
  // Entities grow, and reach for files and addresses: without a document type there are none but those that stand for one character.
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) return undefined;
  try {
    if (XMLValidator.validate(text) !== true) return undefined;
    const value: unknown = (prefixes ? exactParser : parser).parse(text);
    // The validator lets a second root pass where the first is empty.
    return isObject(value) && Object.keys(value).length === 1 ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

/** @throws {CarrierFault} where a text holds what no XML can. */
export function writeXml(root: string, content: JsonObject): string {
  checkText(content, '');
  return `<?xml version="1.0" encoding="UTF-8"?>${builder.build({ [root]: content })}`;
}

/** What XML 1.0 has no way to write: all but tabs, line breaks and what can be seen. */
const unwritable = /(?![\t\n\r])[\p{Cc}\ufffe\uffff]/u;

function checkText(value: JsonValue, path: string): void {
  if (typeof value === 'object' && value !== null) {
    for (const [key, each] of Object.entries(value)) checkText(each as JsonValue, `${path}/${key}`);
    return;
  }
  if (typeof value !== 'string' || (value.isWellFormed() && !unwritable.test(value))) return;
  const message = `What belongs at ${path} of the carrier’s document holds a character that XML cannot carry.`;
  throw new CarrierFault(message, { kind: 'invalid', code: 'unencodable_value', nothingMade: true });
}
