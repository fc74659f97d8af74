import { escaped } from './escaped.ts';

/** A self-contained page without scripts, fonts or links. Equal content gives equal bytes. */
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
