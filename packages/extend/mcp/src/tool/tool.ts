import type { Review, ReviewInput } from '@leeward/authoring';
import type { z } from 'zod';
import type { Service } from '../service/service.ts';

/** Reviews a rule set for the asker. */
export type ReviewRules = (input: Pick<ReviewInput, 'file' | 'cases' | 'inForce'>) => Promise<Review>;

/** The holder of the asker's token. */
export interface Holder {
  readonly organization_id: string | null;
  readonly scopes: ReadonlySet<string>;
}

/** Everything that a tool may use. */
export interface ToolContext {
  readonly service: Service;
  readonly review: ReviewRules;
  /** Read once. @throws {ToolError} for a token that is not valid. */
  holder(): Promise<Holder>;
}

/** The answer of a tool: one statement a line, and the same as data. */
export interface ToolAnswer {
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A tool of the server. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodType;
  /** The asker's token needs one of them. */
  readonly scopes: readonly string[];
  /** False if it changes something. */
  readonly isReadOnly: boolean;
  run(input: unknown, context: ToolContext): Promise<ToolAnswer>;
}

/** Checks that `run` takes what `input` reads. */
export function defineTool<Input extends z.ZodType>(
  tool: Omit<Tool, 'input' | 'run' | 'isReadOnly'> & {
    readonly input: Input;
    readonly isReadOnly?: boolean;
    run(input: z.output<Input>, context: ToolContext): Promise<ToolAnswer>;
  },
): Tool {
  return { isReadOnly: true, ...tool } as unknown as Tool;
}
