/** Returns the files of a guide, by the names in their first comments, and the lines it promises they print. */
export function lineGuide(guide: string): { readonly files: ReadonlyMap<string, string>; readonly promised: string[] } {
  const files = new Map<string, string>();
  const promised: string[] = [];
  for (const [, language, text = ''] of guide.matchAll(/^```(ts|text)\n(.*?)^```$/gms)) {
    const name = /^\/\/ (\S+\.ts)$/m.exec(text)?.[1];
    if (language === 'text') promised.push(...text.trimEnd().split('\n'));
    else if (name !== undefined) files.set(name, text);
  }
  return { files, promised };
}
