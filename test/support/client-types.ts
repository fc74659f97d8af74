import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { workspace } from './running-leeward.ts';

/** By schema and field: `?` if the field may be missing, and its words in alphabetical order, as in `?dp1|ho3`. */
export type Shapes = Record<string, Record<string, string>>;

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
}

/** The fields of objects among the schemas of an OpenAPI document. */
export function shapesOfDocument(schemas: Readonly<Record<string, Schema>>): Shapes {
  return Object.fromEntries(
    Object.entries(schemas).flatMap(([name, { properties, required = [] }]) => {
      if (properties === undefined || Object.keys(properties).length === 0) return [];
      const fields = Object.entries(properties).map(([field, schema]) => {
        return [field, shape(!required.includes(field), wordsOfSchema(schema))] as const;
      });
      return [[name, Object.fromEntries(fields)] as const];
    }),
  );
}

/** The fields of objects among the types of the generated client. */
export function shapesOfClient(): Shapes {
  const path = join(workspace, 'packages/core/http/src/client/paths.generated.ts');
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest);
  const components = source.statements.filter(ts.isInterfaceDeclaration).find(({ name }) => name.text === 'components');
  const schemas = components?.members.find((member) => nameOf(member) === 'schemas');
  return Object.fromEntries(
    membersOf(schemas).flatMap((schema) => {
      const fields = membersOf(schema).filter((member) => nameOf(member) !== undefined);
      if (fields.length === 0) return [];
      const shapes = fields.map((field) => {
        const { type, questionToken } = field as ts.PropertySignature;
        return [
          nameOf(field)!,
          shape(questionToken !== undefined, type === undefined ? [] : wordsOfType(type)),
        ] as const;
      });
      return [[nameOf(schema)!, Object.fromEntries(shapes)] as const];
    }),
  );
}

function shape(isOptional: boolean, words: readonly string[]): string {
  return `${isOptional ? '?' : ''}${[...new Set(words)].sort().join('|')}`;
}

function wordsOfSchema(schema: Schema): string[] {
  const own = [...(schema.enum ?? []), schema.const].filter((value) => typeof value === 'string');
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.items ? [schema.items] : [])];
  return [...own, ...parts.flatMap(wordsOfSchema)];
}

/** Without the words of fields inside, and of names of other schemas. */
function wordsOfType(type: ts.Node): string[] {
  if (ts.isTypeLiteralNode(type) || ts.isIndexedAccessTypeNode(type)) return [];
  if (ts.isLiteralTypeNode(type)) return ts.isStringLiteral(type.literal) ? [type.literal.text] : [];
  const words: string[] = [];
  ts.forEachChild(type, (child) => {
    words.push(...wordsOfType(child));
  });
  return words;
}

/** The type of an open object is an intersection. */
function membersOf(member: ts.TypeElement | undefined): readonly ts.TypeElement[] {
  const type = member && ts.isPropertySignature(member) ? member.type : undefined;
  const parts = type !== undefined && ts.isIntersectionTypeNode(type) ? type.types : [type];
  return parts.flatMap((part) => {
    const bare = part && ts.isParenthesizedTypeNode(part) ? part.type : part;
    return bare !== undefined && ts.isTypeLiteralNode(bare) ? [...bare.members] : [];
  });
}

function nameOf({ name }: ts.TypeElement): string | undefined {
  return name && (ts.isIdentifier(name) || ts.isStringLiteral(name)) ? name.text : undefined;
}
