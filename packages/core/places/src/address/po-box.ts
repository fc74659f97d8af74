const box = /^(?:p(?:ost)?[. ]*o(?:ffice)?[. ]*)?(?:box|drawer)\s*#?\s*[\w-]+$/i;

/** The street line without its PO box; undefined if nothing else is left of it. */
export function withoutPoBox(line1: string): string | undefined {
  const parts = line1.split(', ').flatMap((part) => {
    const start = /(?<=^|\s)p(?:ost)?[. ]*o(?:ffice)?[. ]*(?:box|drawer)\b.*$/i.exec(part);
    const rest = start === null ? part : part.slice(0, start.index).trim();
    return rest === '' || box.test(rest) ? [] : [rest];
  });
  return parts.length === 0 ? undefined : parts.join(', ');
}
