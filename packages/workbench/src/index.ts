export type { PageFile, PageFiles } from './bundle/page-files.ts';
export { loadWorkbench, type Workbench } from './load-workbench.ts';
