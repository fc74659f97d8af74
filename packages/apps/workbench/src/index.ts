export type { EncodedFile } from './bundle/encode-file.ts';
export { loadWorkbench, type Workbench, type WorkbenchOptions } from './load-workbench.ts';
