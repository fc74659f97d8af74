import { escaped } from './escaped.ts';

/** A page of its own: no script, no font, no link, light or dark as its reader's system is. The same content is the same bytes. */
export function stillPage(title: string, style: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)}</title>
<style>
${style}
</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`;
}
