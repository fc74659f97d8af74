export {
  invalidRequest,
  notFound,
  Problem,
  type ProblemCode,
  type ProblemOptions,
  type RequestFault,
  unavailable,
} from './problem.ts';
export { type ProblemDocument, problemSchema } from './problem-document.ts';
