import type { Tool } from '../tool/tool.ts';
import { askNext } from '../tools/ask-next.ts';
import { checkAnswer } from '../tools/check-answer.ts';
import { decide } from '../tools/decide.ts';
import { describeFields } from '../tools/describe-fields.ts';
import { distanceToCoast } from '../tools/distance-to-coast.ts';
import { explain } from '../tools/explain.ts';
import { findCarriers } from '../tools/find-carriers.ts';
import { checkRules, diffRules, draftRules, proposeRules, runCases } from '../tools/rule-tools.ts';
import { whatWouldChange } from '../tools/what-would-change.ts';

/** All tools, in the order of their use. */
export const tools: readonly Tool[] = [
  describeFields,
  findCarriers,
  askNext,
  decide,
  explain,
  whatWouldChange,
  checkAnswer,
  distanceToCoast,
  draftRules,
  checkRules,
  runCases,
  diffRules,
  proposeRules,
];
