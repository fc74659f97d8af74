import { relative, resolve } from 'node:path';
import ts from 'typescript';

export interface ExportedName {
  readonly name: string;
  readonly kind: 'function' | 'value' | 'type';
  /**
   * Place of the first declaration: `packages/core/engine/src/….ts:12`. Absent if the declaration is outside the
   * workspace.
   */
  readonly place?: string;
  readonly hasComment: boolean;
  readonly hasExample: boolean;
  /** Optional properties of a type named `…Options` whose comment has no default. */
  readonly withoutDefault: readonly string[];
  /** Names of the types in its signature, its members or its bases. */
  readonly types: readonly string[];
}

const STATES_ABSENCE = /\b(without it|if omitted|absent)\b/i;
const workspaceConfig = resolve(import.meta.dirname, '../../tsconfig.json');

/**
 * The names that each module exports, values and types, followed through re-exports. One compiler program reads all modules.
 *
 * @param root Places are relative to it.
 * @param modules Absolute paths.
 * @returns For each module, its names in alphabetical order.
 */
export function exportedNames(root: string, modules: readonly string[]): Map<string, readonly ExportedName[]> {
  const { config } = ts.readConfigFile(workspaceConfig, ts.sys.readFile) as { config: { compilerOptions: object } };
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root);
  const program = ts.createProgram(modules, { ...options, jsx: ts.JsxEmit.Preserve });
  const checker = program.getTypeChecker();
  return new Map(
    modules.map((path) => {
      const source = program.getSourceFile(path);
      if (source === undefined) throw new Error(`Cannot read ${path}.`);
      const module = checker.getSymbolAtLocation(source);
      const names = module === undefined ? [] : checker.getExportsOfModule(module);
      return [
        path,
        names.map((symbol) => describeSymbol(root, checker, symbol)).sort((a, b) => (a.name < b.name ? -1 : 1)),
      ];
    }),
  );
}

function describeSymbol(root: string, checker: ts.TypeChecker, exported: ts.Symbol): ExportedName {
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
  const { declarations } = symbol;
  if (declarations === undefined) throw new Error(`Cannot find the declaration of ${exported.name}: run npm install.`);
  const isValue = (symbol.flags & ts.SymbolFlags.Value) !== 0;
  const isFunction = isValue && checker.getTypeOfSymbol(symbol).getCallSignatures().length > 0;
  const place = placeOf(root, declarations[0]);
  return {
    name: exported.name,
    kind: isFunction ? 'function' : isValue ? 'value' : 'type',
    ...(place !== undefined && { place }),
    hasComment: declarations.some(hasComment),
    hasExample: symbol.getJsDocTags(checker).some((tag) => tag.name === 'example'),
    withoutDefault: symbol.name.endsWith('Options') && !isValue ? withoutDefault(checker, symbol) : [],
    types: [...new Set(declarations.flatMap(typesIn))],
  };
}

/** Types that an importer can see: neither those of function bodies nor those of private members. */
function typesIn(declaration: ts.Node): string[] {
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isBlock(node) || (ts.isClassElement(node) && isPrivate(node))) return;
    const name = ts.isTypeReferenceNode(node)
      ? node.typeName
      : ts.isExpressionWithTypeArguments(node)
        ? node.expression
        : ts.isTypeQueryNode(node)
          ? node.exprName
          : undefined;
    if (name !== undefined && ts.isIdentifier(name)) names.push(name.text);
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(declaration, visit);
  return names;
}

function isPrivate(member: ts.ClassElement): boolean {
  const isHidden = (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Private) !== 0;
  return isHidden || (member.name !== undefined && ts.isPrivateIdentifier(member.name));
}

function placeOf(root: string, declaration: ts.Declaration | undefined): string | undefined {
  const file = declaration?.getSourceFile();
  if (declaration === undefined || file === undefined || file.fileName.includes('/node_modules/')) return undefined;
  return `${relative(root, file.fileName)}:${file.getLineAndCharacterOfPosition(declaration.getStart()).line + 1}`;
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

function withoutDefault(checker: ts.TypeChecker, symbol: ts.Symbol): string[] {
  return checker
    .getDeclaredTypeOfSymbol(symbol)
    .getProperties()
    .filter((property) => {
      const isOwn = property.declarations?.some((each) => !each.getSourceFile().fileName.includes('/node_modules/'));
      if (!isOwn || !(property.flags & ts.SymbolFlags.Optional)) return false;
      const comment = ts.displayPartsToString(property.getDocumentationComment(checker));
      const hasDefault = property
        .getJsDocTags(checker)
        .some(({ name }) => name === 'default' || name === 'defaultValue');
      return !hasDefault && !STATES_ABSENCE.test(comment);
    })
    .map(({ name }) => name)
    .sort();
}
