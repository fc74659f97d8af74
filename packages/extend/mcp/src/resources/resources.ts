import { homeVocabulary, type Vocabulary } from '@leeward/engine';
import type { Service } from '../service/service.ts';
import { fieldsOfLine } from '../tool/fields-of-line.ts';

/** A text that a model can read before it uses the tools. */
export interface TextResource {
  /** `leeward://fixtures/homes/harris-tx`. */
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
  read(service: Service): string | Promise<string>;
}

/**
 * The rule reference and the fields of every line.
 *
 * @param vocabularies Default: homes.
 * @example
 * mcpRoutes({ service: () => leeward, resources: referenceResources(), onError: console.error });
 */
export function referenceResources(vocabularies: readonly Vocabulary[] = [homeVocabulary]): TextResource[] {
  return vocabularies.flatMap((vocabulary): TextResource[] => {
    const { line } = vocabulary;
    return [
      {
        uri: `leeward://reference/${line}`,
        name: `Rule reference: ${line}`,
        description: 'Everything that rules can test: facts, units, bounds, words, operators, outcomes and codes.',
        mimeType: 'application/json',
        async read() {
          const { ruleReference } = await import('@leeward/authoring');
          return JSON.stringify(ruleReference(vocabulary));
        },
      },
      {
        uri: `leeward://vocabulary/${line}`,
        name: `Fields: ${line}`,
        description: 'The fields of a request, each with its JSON Schema.',
        mimeType: 'application/json',
        async read(service) {
          const fields = await fieldsOfLine(line, service);
          return JSON.stringify(Object.fromEntries([...fields].map(([name, { schema }]) => [name, schema])));
        },
      },
    ];
  });
}
