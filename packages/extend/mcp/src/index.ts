export { referenceResources, type TextResource } from './resources/resources.ts';
export { type McpRoutesOptions, mcpRoutes } from './server/mcp-routes.ts';
