/** A key that stands twice in one object of a JSON text, of which only the last would count; undefined: there is none. */
export function repeatedKey(json: string): string | undefined {
  /** Keys of the objects that are open; null: a list. */
  const open: (Set<string> | null)[] = [];
  const tokens = /"(?:[^"\\]|\\.)*"|[{}[\]]/gs;
  for (let token = tokens.exec(json); token; token = tokens.exec(json)) {
    const [text] = token;
    if (text === '{') open.push(new Set());
    else if (text === '[') open.push(null);
    else if (text === '}' || text === ']') open.pop();
    else if (isKey(json, tokens.lastIndex)) {
      const keys = open.at(-1);
      const key = JSON.parse(text) as string;
      if (keys?.has(key)) return key;
      keys?.add(key);
    }
  }
  return undefined;
}

/** Whether a colon comes next. */
function isKey(json: string, from: number): boolean {
  const colon = /\s*:/y;
  colon.lastIndex = from;
  return colon.test(json);
}
