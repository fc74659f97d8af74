/** The decision tables of a DMN document, versions 1.1 to 1.5. */
import type { XmlElement, XmlPlace } from './read-xml.ts';

/** A decision, with its table or the name of its other logic. */
export interface DmnDecision {
  readonly name: string;
  readonly place: XmlPlace;
  /** The table; undefined for other logic. */
  readonly table: DmnTable | undefined;
  /** In words; undefined without logic. */
  readonly logic: string | undefined;
}

export interface DmnTable {
  readonly hitPolicy: string;
  /** `SUM`, `MIN`, `MAX` or `COUNT` of a table that collects. */
  readonly aggregation: string | undefined;
  readonly inputs: readonly { readonly expression: string; readonly place: XmlPlace }[];
  readonly outputs: readonly DmnOutput[];
  readonly rows: readonly DmnRow[];
}

export interface DmnOutput {
  /** Empty if it is the only one and has no name. */
  readonly name: string;
  /** The text of the list of values, which orders them by priority. */
  readonly values: string | undefined;
  readonly defaultValue: string | undefined;
}

export interface DmnRow {
  readonly inputs: readonly DmnText[];
  readonly outputs: readonly DmnText[];
  readonly place: XmlPlace;
}

export interface DmnText {
  readonly text: string;
  readonly place: XmlPlace;
}

/** True for a DMN document. */
export function isDmn({ name, namespace }: XmlElement): boolean {
  return name === 'definitions' && /\/spec\/DMN\//.test(namespace);
}

const logics: Readonly<Record<string, string>> = {
  decisionTable: 'decision table',
  literalExpression: 'literal expression',
  invocation: 'invocation',
  context: 'context',
  functionDefinition: 'function',
  relation: 'relation',
  list: 'list',
  conditional: 'conditional',
  for: 'loop',
  every: 'loop',
  some: 'loop',
  filter: 'filter',
};

/** The decisions and business knowledge models, in their order. Other namespaces than that of the root are extensions. */
export function decisionsOf(root: XmlElement): readonly DmnDecision[] {
  const isOwn = (element: XmlElement) => element.namespace === root.namespace;
  return root.children.filter(isOwn).flatMap((element): DmnDecision[] => {
    const isModel = element.name === 'businessKnowledgeModel';
    if (element.name !== 'decision' && !isModel) return [];
    const { name = '' } = element.attributes;
    const logic = element.children.find(
      (child) => isOwn(child) && (child.name === 'encapsulatedLogic' || child.name in logics),
    );
    if (isModel) return [{ name, place: element.place, table: undefined, logic: 'business knowledge model' }];
    const table = logic?.name === 'decisionTable' ? tableOf(logic, isOwn) : undefined;
    return [{ name, place: element.place, table, logic: logic && logics[logic.name] }];
  });
}

function tableOf(element: XmlElement, isOwn: (element: XmlElement) => boolean): DmnTable {
  const children = (of: XmlElement, name: string) => of.children.filter((child) => child.name === name && isOwn(child));
  const child = (of: XmlElement | undefined, name: string) =>
    of?.children.find((each) => each.name === name && isOwn(each));
  const textIn = (of: XmlElement | undefined) => child(of, 'text')?.text.trim();
  const entries = (of: XmlElement, name: string) =>
    children(of, name).map((entry) => ({ text: textIn(entry) ?? '', place: entry.place }));
  const outputs = children(element, 'output');
  return {
    hitPolicy: element.attributes['hitPolicy'] ?? 'UNIQUE',
    aggregation: element.attributes['aggregation'],
    inputs: children(element, 'input').map((input) => ({
      expression: textIn(child(input, 'inputExpression')) ?? '',
      place: input.place,
    })),
    outputs: outputs.map((output) => ({
      name: output.attributes['name'] ?? '',
      values: textIn(child(output, 'outputValues')),
      defaultValue: textIn(child(output, 'defaultOutputEntry')),
    })),
    rows: children(element, 'rule').map((rule) => ({
      inputs: entries(rule, 'inputEntry'),
      outputs: entries(rule, 'outputEntry'),
      place: rule.place,
    })),
  };
}
