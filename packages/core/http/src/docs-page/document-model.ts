/** The parts of OpenAPI that our document uses. */
export interface Model {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationModel>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, ResponseModel>>;
    readonly parameters: Readonly<Record<string, ParameterModel>>;
    readonly headers: Readonly<Record<string, HeaderModel>>;
    readonly securitySchemes: Readonly<Record<string, { readonly description?: string }>>;
  };
}

export interface OperationModel {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly (ParameterModel | Reference)[];
  readonly requestBody?: { readonly required: boolean; readonly content: Contents };
  readonly responses: Readonly<Record<string, ResponseModel | Reference>>;
}

export interface ParameterModel {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface HeaderModel {
  readonly description?: string;
  readonly required?: boolean;
}

export interface ResponseModel {
  readonly description: string;
  readonly headers?: Readonly<Record<string, HeaderModel | Reference>>;
  /** Absent without a body. */
  readonly content?: Contents;
}

export type Contents = Readonly<Record<string, { readonly schema: Schema; readonly examples?: Examples }>>;
export type Examples = Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>;
export interface Reference {
  readonly $ref: string;
}

/** The parts of JSON Schema that the page shows. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  /** Other names than those of the properties. */
  readonly propertyNames?: Schema;
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly examples?: readonly unknown[];
}

export function nameOf({ $ref }: Reference): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}

export function isReference(value: object): value is Reference {
  return '$ref' in value && typeof value.$ref === 'string';
}
