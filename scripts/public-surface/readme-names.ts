import ts from 'typescript';

export interface ReadmeNames {
  /** Names in backticks or in TypeScript blocks, outside the section "Exports". */
  readonly mentioned: ReadonlySet<string>;
  /** The section "Exports": entry point → names in the first column of its table. */
  readonly listed: ReadonlyMap<string, ReadonlySet<string>>;
}

const CODE_BLOCK = /^```(\w*)[^\n]*\n(.*?)^```$/gms;
const EXPORTS_SECTION = /^## Exports\n(.*?)(?=^## |$(?![\s\S]))/ms;
/** `name`, `name(…)`, `name<…>`, `name.member`, `new Name(…)`, `await name(…)`. */
const NAME_IN_BACKTICKS = /`(?:new |await )?([A-Za-z_$][\w$]*)(?=[`(<.])[^`\n]*`/g;

/**
 * The names that a README explains.
 *
 * @param readme Markdown.
 * @param mainEntry The package's name. Tables under "Exports" before any heading belong to it.
 */
export function readmeNames(readme: string, mainEntry: string): ReadmeNames {
  const mentioned = new Set<string>();
  const prose = readme.replaceAll(CODE_BLOCK, (_, language: string, code: string) => {
    if (/^(ts|tsx|js|jsx|typescript|javascript)$/.test(language)) addIdentifiers(code, mentioned);
    return '';
  });
  const section = EXPORTS_SECTION.exec(prose)?.[1] ?? '';
  for (const name of namesInBackticks(prose.replace(EXPORTS_SECTION, ''))) mentioned.add(name);
  return { mentioned, listed: listedNames(section, mainEntry) };
}

function namesInBackticks(text: string): string[] {
  return [...text.matchAll(NAME_IN_BACKTICKS)].map(([, name]) => name!);
}

function listedNames(section: string, mainEntry: string): Map<string, Set<string>> {
  const listed = new Map<string, Set<string>>();
  let entry = mainEntry;
  for (const line of section.split('\n')) {
    const heading = /^###+ .*?`([^`]+)`/.exec(line)?.[1];
    if (heading !== undefined) entry = heading;
    const firstColumn = /^\|((?:\\\||[^|])*)\|/.exec(line)?.[1];
    const names = listed.get(entry) ?? new Set();
    for (const name of namesInBackticks(firstColumn ?? '')) names.add(name);
    if (names.size > 0 || heading !== undefined) listed.set(entry, names);
  }
  return listed;
}

/** Identifiers that refer to something: neither names of properties nor names that the code declares itself. */
function addIdentifiers(code: string, into: Set<string>): void {
  const names = new Set<string>();
  const declared = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) {
      if (isDeclared(node)) declared.add(node.text);
      else if (!isPropertyName(node)) names.add(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('readme.tsx', code, ts.ScriptTarget.Latest, true));
  for (const name of names) if (!declared.has(name)) into.add(name);
}

function isPropertyName(node: ts.Identifier): boolean {
  const { parent } = node;
  return (
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    ((ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent) || ts.isMethodDeclaration(parent)) &&
      parent.name === node) ||
    (ts.isBindingElement(parent) && parent.propertyName === node)
  );
}

function isDeclared(node: ts.Identifier): boolean {
  const { parent } = node;
  return (
    (ts.isVariableDeclaration(parent) ||
      ts.isParameter(parent) ||
      ts.isFunctionDeclaration(parent) ||
      ts.isInterfaceDeclaration(parent) ||
      ts.isTypeAliasDeclaration(parent) ||
      ts.isClassDeclaration(parent)) &&
    parent.name === node
  );
}
