/** For harnesses: the protocol as tools of a model, and their execution. */
export { callTool, type CallToolOptions, type ToolResult } from './call-tool.js';
export { PROFILES, type Profile } from './catalog.js';
export type { ToolContent } from './content.js';
export { TOOL_FORMATS, toolSchemas, type ToolFormat } from './formats.js';
