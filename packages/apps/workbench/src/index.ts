export type { EncodedFile } from './bundle/encode-file.ts';
export { loadWorkbench, type Workbench } from './load-workbench.ts';
