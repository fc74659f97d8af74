import { z } from 'zod';

const comment = z.unknown().optional().meta({ description: 'A note for people; ignored.' });
const scalar = z.union([z.string(), z.number(), z.boolean()]);
const unit = z.enum(['dollars', 'cents', 'feet', 'miles', 'meters', 'kilometers', 'square_feet', 'square_meters']);

const entry = z.strictObject({
  path: z
    .string()
    .regex(/^(\/[^/]+)+$/)
    .meta({
      description:
        'Place in the document: a JSON Pointer. In XML a step is an element, @name an attribute, a number an index of a list.',
      examples: ['/Home/Roof/@type', '/Coverages/Coverage/0/Limit'],
    }),
  field: z.string().min(1).optional().meta({
    description: 'Name of the value, as in templates: fields.year_built, form_type. A list repeats the element.',
  }),
  constant: scalar.optional().meta({ description: 'A fixed value.' }),
  table: z.string().optional().meta({ description: 'Code table for writing and reading back.' }),
  unit: z
    .strictObject({
      from: unit,
      to: unit,
      decimals: z.int().min(0).max(6).optional().meta({ description: 'Decimals when written. Default 0.' }),
      decimals_back: z.int().min(0).max(6).optional().meta({ description: 'Decimals when read back. Default 0.' }),
    })
    .optional(),
  date: z
    .string()
    .optional()
    .meta({ description: 'Format of a date, with YYYY, MM and DD.', examples: ['MM/DD/YYYY'] }),
  words: z
    .tuple([z.string(), z.string()])
    .optional()
    .meta({ description: 'Words for true and false.', examples: [['Y', 'N']] }),
  as: z
    .enum(['string', 'number', 'boolean'])
    .optional()
    .meta({ description: 'Type in JSON. In XML all values are text.' }),
  default: scalar.optional().meta({ description: 'Value of the carrier if the field is missing or not in the table.' }),
  required: z
    .boolean()
    .optional()
    .meta({ description: 'If the value is missing, nothing is sent and the outcome is needs_information.' }),
  $comment: comment,
});

/** Place and notation of each value in a carrier's document. */
export const dialectSchema = z
  .strictObject({
    format: z.enum(['xml', 'json']),
    root: z
      .string()
      .regex(/^[A-Za-z_][\w.-]*(:[A-Za-z_][\w.-]*)?$/)
      .optional()
      .meta({ description: 'Root element of XML.' }),
    tables: z
      .record(z.string(), z.record(z.string(), z.union([z.string(), z.number()])))
      .optional()
      .meta({ description: 'Code tables: our values, and those of the carrier.' }),
    request: z.array(entry).min(1),
    $comment: comment,
  })
  .meta({ description: 'Instead of "body": a document from a list of places and values, which can be read back.' });

export type DialectFile = z.infer<typeof dialectSchema>;
export type DialectEntry = DialectFile['request'][number];
