import { answerWhenLoaded } from '../threads/when-loaded.ts';

answerWhenLoaded(() => import('./answer-rules.ts'));
