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
        'Where it stands in the document: a JSON Pointer. In XML a step is an element, @name an attribute, a number the place in a list.',
      examples: ['/Home/Roof/@type', '/Coverages/Coverage/0/Limit'],
    }),
  field: z.string().min(1).optional().meta({
    description:
      'What stands there, as templates name it: fields.year_built, form_type. A list is written again and again.',
  }),
  constant: scalar.optional().meta({ description: 'What always stands there.' }),
  table: z.string().optional().meta({ description: 'The code table by which it is written, and read back.' }),
  unit: z
    .strictObject({
      from: unit,
      to: unit,
      decimals: z.int().min(0).max(6).optional().meta({ description: 'As it is written. Default 0.' }),
      decimals_back: z.int().min(0).max(6).optional().meta({ description: 'As it is read back. Default 0.' }),
    })
    .optional(),
  date: z
    .string()
    .optional()
    .meta({ description: 'How a date is written, with YYYY, MM and DD.', examples: ['MM/DD/YYYY'] }),
  words: z
    .tuple([z.string(), z.string()])
    .optional()
    .meta({ description: 'For true and for false.', examples: [['Y', 'N']] }),
  as: z
    .enum(['string', 'number', 'boolean'])
    .optional()
    .meta({ description: 'Its type where that is another; XML is text.' }),
  default: scalar
    .optional()
    .meta({ description: 'Where the home says nothing, or nothing that the table has: as the carrier writes it.' }),
  required: z
    .boolean()
    .optional()
    .meta({ description: 'Without it nothing is sent, and the answer is needs_information.' }),
  $comment: comment,
});

/** The language that a carrier speaks: what stands where in its documents, and what it calls things. */
export const dialectSchema = z
  .strictObject({
    format: z.enum(['xml', 'json']),
    root: z
      .string()
      .regex(/^[A-Za-z_][\w.-]*(:[A-Za-z_][\w.-]*)?$/)
      .optional()
      .meta({ description: 'The outermost element of XML.' }),
    tables: z
      .record(z.string(), z.record(z.string(), z.union([z.string(), z.number()])))
      .optional()
      .meta({ description: 'Code tables: what we say, and what the carrier says.' }),
    request: z.array(entry).min(1),
    $comment: comment,
  })
  .meta({ description: 'In place of "body": a document made of a list of what stands where, which can be read back.' });

/** A carrier's dialect, as its file has it. */
export type DialectFile = z.infer<typeof dialectSchema>;
/** One entry of it: what stands at one place of the document. */
export type DialectEntry = DialectFile['request'][number];
