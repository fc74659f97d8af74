export {
  type ClientOptions,
  createClient,
  type LeewardClient,
  type LinePaths,
  type RequestPaths,
  type Schemas,
} from './client.ts';
export type { components, operations, paths } from './paths.generated.ts';
