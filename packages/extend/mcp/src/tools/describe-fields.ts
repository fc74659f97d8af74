import { z } from 'zod';
import { fieldsOfLine } from '../tool/fields-of-line.ts';
import { defineTool } from '../tool/tool.ts';
import { ToolError } from '../tool/tool-error.ts';

const MAX_FIELDS = 12;

/** `describe_fields`: names, units and words of the fields of a home. */
export const describeFields = defineTool({
  name: 'describe_fields',
  title: 'Describe fields',
  description:
    'Finds fields of a home by words ("roof", "year built", "claims"): name, unit, bounds and possible words. Use these names for `home`.',
  input: z.object({
    words: z.string().max(200).default('').describe('Words to search for; empty lists all names.'),
    line: z.string().default('home').describe('The line of business.'),
  }),
  scopes: ['underwrite', 'rules', 'admin', 'operator'],
  async run({ words, line }, { service }) {
    const fields = await fieldsOfLine(line, service);
    const searched = words
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .filter((word) => word !== '');
    if (searched.length === 0) return { text: [...fields.keys()].join(', '), data: { fields: [...fields.keys()] } };
    const scored = [...fields]
      .map(([name, { schema, words: description }]) => {
        const text = `${name.replaceAll('_', ' ')} ${description}`.toLowerCase();
        return { name, schema, description, hits: searched.filter((word) => text.includes(word)).length };
      })
      .filter(({ hits }) => hits > 0)
      .sort((a, b) => b.hits - a.hits)
      .slice(0, MAX_FIELDS);
    if (scored.length === 0) {
      throw new ToolError(`words: no field matches "${words}". With empty words, the tool lists all names.`);
    }
    return {
      text: scored.map(({ name, description }) => `${name}: ${description}`).join('\n'),
      data: { fields: scored.map(({ name, schema, description }) => ({ name, description, schema })) },
    };
  },
});
