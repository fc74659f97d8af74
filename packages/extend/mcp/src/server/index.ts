export type { TextResource } from '../resources/resources.ts';
export { createService, type Service, type ServiceAnswer, type ServiceOptions } from '../service/service.ts';
export type { Citation, Statement } from '../statements/statement.ts';
export type { ReviewRules } from '../tool/tool.ts';
export { createMcpServer, type McpPorts } from './mcp-server.ts';
export { type ReviewFor, reviewOnThreads } from './review-rules.ts';
export { type StdioOptions, serveStdio } from './serve-stdio.ts';
