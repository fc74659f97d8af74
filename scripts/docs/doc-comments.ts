import { existsSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import ts from 'typescript';
import { waysIntoPackages } from './ways-in.ts';

const sources = new Map<string, ts.SourceFile>();

function sourceOf(path: string): ts.SourceFile {
  let source = sources.get(path);
  if (source === undefined) {
    source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
    sources.set(path, source);
  }
  return source;
}

/** The declarations of a name as a module exports it, followed through whatever re-exports it; empty where it is another package's. */
function declarationsOf(path: string, name: string): ts.Node[] {
  const found: ts.Node[] = [];
  for (const statement of sourceOf(path).statements) {
    if (ts.isExportDeclaration(statement) && statement.exportClause && ts.isNamedExports(statement.exportClause)) {
      const element = statement.exportClause.elements.find((each) => each.name.text === name);
      if (element === undefined) continue;
      const own = (element.propertyName ?? element.name).text;
      const from = statement.moduleSpecifier;
      found.push(
        ...(from === undefined ? declarationsOf(path, own) : elsewhere(path, (from as ts.StringLiteral).text, own)),
      );
    } else if (ts.isImportDeclaration(statement)) {
      const bindings = statement.importClause?.namedBindings;
      const element =
        bindings && ts.isNamedImports(bindings) && bindings.elements.find((each) => each.name.text === name);
      if (element)
        found.push(
          ...elsewhere(
            path,
            (statement.moduleSpecifier as ts.StringLiteral).text,
            (element.propertyName ?? element.name).text,
          ),
        );
    } else if (ts.isVariableStatement(statement)) {
      if (statement.declarationList.declarations.some((each) => ts.isIdentifier(each.name) && each.name.text === name))
        found.push(statement);
    } else if (isNamed(statement) && statement.name?.text === name) found.push(statement);
  }
  return found;
}

function elsewhere(from: string, specifier: string, name: string): ts.Node[] {
  if (!specifier.startsWith('.')) return [];
  const path = resolve(dirname(from), specifier);
  return existsSync(path) ? declarationsOf(path, name) : [];
}

type Named =
  | ts.FunctionDeclaration
  | ts.ClassDeclaration
  | ts.InterfaceDeclaration
  | ts.TypeAliasDeclaration
  | ts.EnumDeclaration;

function isNamed(node: ts.Node): node is Named {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isEnumDeclaration(node)
  );
}

function hasComment(node: ts.Node): boolean {
  return ts
    .getJSDocCommentsAndTags(node)
    .some(
      (each) =>
        ts.isJSDoc(each) &&
        ts.getTextOfJSDocComment(each.comment)?.trim() !== '' &&
        (each.comment !== undefined || (each.tags?.length ?? 0) > 0),
    );
}

/** Names that a module exports. */
function exportsOf(path: string): string[] {
  return sourceOf(path).statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement) && statement.exportClause && ts.isNamedExports(statement.exportClause))
      return statement.exportClause.elements.map((each) => each.name.text);
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some((each) => each.kind === ts.SyntaxKind.ExportKeyword);
    if (!isExported) return [];
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.flatMap((each) =>
        ts.isIdentifier(each.name) ? [each.name.text] : [],
      );
    return isNamed(statement) && statement.name ? [statement.name.text] : [];
  });
}

export interface ExportedName {
  /** Of the package's module, as an importer writes it. */
  readonly specifier: string;
  readonly name: string;
  /** `packages/core/engine/src/….ts:12`. */
  readonly place: string;
  readonly isDocumented: boolean;
}

/** Every public export of every package, and whether a doc comment stands over it. */
export function publicExports(root: string): ExportedName[] {
  return waysIntoPackages(root).flatMap(({ specifier, source }) =>
    exportsOf(source).flatMap((name): ExportedName[] => {
      const declarations = declarationsOf(source, name);
      const [first] = declarations;
      if (first === undefined) return [];
      const file = first.getSourceFile();
      const place = `${relative(root, file.fileName)}:${file.getLineAndCharacterOfPosition(first.getStart()).line + 1}`;
      return [{ specifier, name, place, isDocumented: declarations.some(hasComment) }];
    }),
  );
}
