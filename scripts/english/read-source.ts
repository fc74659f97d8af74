import { basename } from 'node:path';
import ts from 'typescript';
import { isProduct } from './files.ts';
import { blockOf, type Kind, type Piece, splitSentences } from './sentences.ts';

const TEST_FUNCTION = /^(describe|it|test|suite|describeOnStores)$/;
const CODE_TAGS = new Set(['css', 'sql', 'html', 'svg', 'raw']);
const CODE_ATTRIBUTES = /^(className|class|style|d|id|viewBox|transform|points|href|src|rel)$/;
const NOT_PROSE = /^\s*(select|insert|update|delete|create|alter|drop|with|pragma|begin|<|\{|--|import|export)\b/i;

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Returns the comments, test names, texts for people and declared names of a TypeScript file. */
export function readSource(file: string, source: string): Piece[] {
  const kind = file.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, false, kind);
  const literals: Span[] = [];
  const pieces: Piece[] = [];
  const isProductFile = isProduct(file);
  const lineOf = (at: number): number => tree.getLineAndCharacterOfPosition(at).line + 1;
  const addText = (at: number, text: string, of: Kind): void => {
    const line = lineOf(at);
    const lines = text.split('\n').map((each) => ({ text: each, line }));
    pieces.push(...splitSentences(blockOf(lines), file, of));
  };
  const addName = (at: number, name: string): void => {
    pieces.push({ file, line: lineOf(at), kind: 'name', text: name, masked: name });
  };
  const visit = (node: ts.Node, parent: ts.Node): void => {
    if (isLiteralToken(node)) literals.push({ start: node.getStart(tree), end: node.end });
    const tested = testName(node);
    if (tested !== undefined) addText(tested.getStart(tree), textOf(tested), 'test');
    else if (isProductFile) {
      const text = userText(node, parent);
      if (text !== undefined) addText(node.getStart(tree), text, 'text');
      const name = declaredName(node, parent);
      if (name !== undefined) addName(node.getStart(tree), name);
    }
    ts.forEachChild(node, (child) => visit(child, node));
  };
  ts.forEachChild(tree, (child) => visit(child, tree));
  if (isProductFile)
    addName(
      0,
      basename(file)
        .replace(/\.tsx?$/, '')
        .replace(/-(\w)/g, (_, c: string) => c.toUpperCase()),
    );
  literals.sort((a, b) => a.start - b.start);
  return [...pieces, ...readComments(file, source, literals, lineOf)];
}

function isLiteralToken(node: ts.Node): boolean {
  return (
    ts.isStringLiteral(node) ||
    ts.isNoSubstitutionTemplateLiteral(node) ||
    node.kind === ts.SyntaxKind.TemplateHead ||
    node.kind === ts.SyntaxKind.TemplateMiddle ||
    node.kind === ts.SyntaxKind.TemplateTail ||
    ts.isRegularExpressionLiteral(node) ||
    ts.isJsxText(node)
  );
}

function testName(node: ts.Node): ts.Expression | undefined {
  if (!ts.isCallExpression(node)) return undefined;
  let callee: ts.Expression = node.expression;
  while (!ts.isIdentifier(callee)) {
    if (ts.isPropertyAccessExpression(callee)) callee = callee.expression;
    else if (ts.isCallExpression(callee)) callee = callee.expression;
    else if (ts.isTaggedTemplateExpression(callee)) callee = callee.tag;
    else return undefined;
  }
  const [first] = node.arguments;
  if (!TEST_FUNCTION.test(callee.text) || first === undefined) return undefined;
  return ts.isStringLiteralLike(first) || ts.isTemplateExpression(first) ? first : undefined;
}

function textOf(node: ts.Node): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map((span) => `‹›${span.literal.text}`).join('');
  return '';
}

/** Returns the text of a literal that is prose: two words with a space, not SQL, CSS or markup. */
function userText(node: ts.Node, parent: ts.Node): string | undefined {
  if (ts.isJsxText(node)) return /[A-Za-z]{2}/.test(node.text) ? node.text : undefined;
  if (!ts.isStringLiteralLike(node) && !ts.isTemplateExpression(node)) return undefined;
  if (ts.isTaggedTemplateExpression(parent) && CODE_TAGS.has(tagName(parent.tag))) return undefined;
  if (ts.isJsxAttribute(parent) && CODE_ATTRIBUTES.test((parent.name as ts.Identifier).text)) return undefined;
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent) || ts.isLiteralTypeNode(parent))
    return undefined;
  const text = textOf(node);
  if (!/[A-Za-z]{2,}[,;:.?!)"'’]* +["'(‹]*[A-Za-z‹]/.test(text) || NOT_PROSE.test(text)) return undefined;
  return /[{};]\s*\n/.test(text) ? undefined : text;
}

/** Returns the name that a node declares, or the tag of a union of string literals in quotation marks. */
function declaredName(node: ts.Node, parent: ts.Node): string | undefined {
  if (ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal)) return `'${node.literal.text}'`;
  if (!ts.isIdentifier(node)) return undefined;
  if (ts.isBindingElement(parent)) {
    // `{ given: value }` declares `value`; `{ given }` declares `given`; `...rest` is the language's word.
    return parent.name === node && parent.dotDotDotToken === undefined ? node.text : undefined;
  }
  const isDeclaration =
    ts.isVariableDeclaration(parent) ||
    ts.isParameter(parent) ||
    ts.isPropertySignature(parent) ||
    ts.isPropertyDeclaration(parent) ||
    ts.isMethodSignature(parent) ||
    ts.isMethodDeclaration(parent) ||
    ts.isFunctionDeclaration(parent) ||
    ts.isClassDeclaration(parent) ||
    ts.isInterfaceDeclaration(parent) ||
    ts.isTypeAliasDeclaration(parent);
  if (!isDeclaration || parent.name !== node) return undefined;
  return ts.isParameter(parent) && parent.dotDotDotToken !== undefined ? undefined : node.text;
}

function readComments(
  file: string,
  source: string,
  literals: readonly Span[],
  lineOf: (at: number) => number,
): Piece[] {
  const pieces: Piece[] = [];
  let run: { text: string; line: number }[] = [];
  const flush = (): void => {
    if (run.length > 0) pieces.push(...splitSentences(blockOf(run), file, 'comment'));
    run = [];
  };
  const mark = /\/\/|\/\*/g;
  let next = 0;
  for (let match = mark.exec(source); match !== null; match = mark.exec(source)) {
    while (next < literals.length && literals[next]!.end <= match.index) next += 1;
    const literal = literals[next];
    if (literal !== undefined && literal.start <= match.index) {
      mark.lastIndex = literal.end;
      continue;
    }
    const isBlock = match[0] === '/*';
    const found = source.indexOf(isBlock ? '*/' : '\n', match.index + 2);
    const end = found < 0 ? source.length : found;
    const body = source.slice(match.index + 2, end);
    mark.lastIndex = end;
    const line = lineOf(match.index);
    if (isBlock) {
      flush();
      for (const part of partsOfBlock(body, line)) {
        run = part;
        flush();
      }
    } else if (!/^\s*(@ts-|biome-|<reference|\/)|^ {4}/.test(body)) {
      if (run.length > 0 && run.at(-1)!.line !== line - 1) flush();
      run.push({ text: body, line });
    }
  }
  flush();
  return pieces;
}

/** Splits a block comment into paragraphs and tags; examples and code fences are left out. */
function partsOfBlock(body: string, firstLine: number): { text: string; line: number }[][] {
  const parts: { text: string; line: number }[][] = [[]];
  let isCode = false;
  body.split('\n').forEach((raw, index) => {
    let text = raw.replace(/^\s*\*+ ?/, '').replace(/^\*/, '');
    if (/^\s*```/.test(text)) isCode = !isCode;
    else if (/^\s*@example/.test(text)) {
      isCode = true;
      parts.push([]);
    } else if (/^\s*@\w+/.test(text)) isCode = false;
    // Four spaces are code, as in Markdown.
    if (isCode || /^\s*```|^ {4}/.test(text)) return;
    if (text.trim() === '' || /^\s*(@\w+|-\s)/.test(text)) parts.push([]);
    // Tags in the middle of a line start a sentence of their own, so the tag and the parameter's name are cut.
    for (const [position, piece] of text.split(/(?=@(?:param|returns|throws|default|see|deprecated)\b)/).entries()) {
      if (position > 0) parts.push([]);
      text = piece.replace(/^\s*@(param\s+(\{[^}]*\}\s*)?[\w.[\]=]+\s*-?|\w+)\s*/, '').replace(/^\s*-\s+/, '');
      parts.at(-1)!.push({ text, line: firstLine + index });
    }
  });
  return parts.filter((part) => part.some((each) => each.text.trim() !== ''));
}

function tagName(tag: ts.Expression): string {
  let expression = tag;
  while (ts.isPropertyAccessExpression(expression) || ts.isCallExpression(expression))
    expression = expression.expression;
  return ts.isIdentifier(expression) ? expression.text : '';
}
