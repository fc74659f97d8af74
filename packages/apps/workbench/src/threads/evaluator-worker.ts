import { answerWhenLoaded } from './when-loaded.ts';

answerWhenLoaded(() => import('./answer-evaluator.ts'));
