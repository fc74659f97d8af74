export interface PageParts {
  readonly script: string;
  readonly styles: string;
  /** By attribute: `data-worker-evaluator`. */
  readonly workers: Readonly<Record<string, string>>;
}

/** Addresses are relative, so that a host may mount the page below a prefix. */
export function indexHtml({ script, styles, workers }: PageParts): string {
  const data = Object.entries(workers).map(([name, file]) => ` data-worker-${name}="./workbench/${file}"`);
  return `<!doctype html>
<html lang="en"${data.join('')}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Leeward workbench</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="./workbench/${styles}">
<script type="module" src="./workbench/${script}"></script>
</head>
<body>
<div id="page"><noscript>The workbench needs scripts; ./docs describes the HTTP API.</noscript></div>
</body>
</html>
`;
}
