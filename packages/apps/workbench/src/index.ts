export type { EncodedFile } from './bundle/page-files.ts';
export { loadWorkbench, type Workbench, type WorkbenchOptions } from './load-workbench.ts';
