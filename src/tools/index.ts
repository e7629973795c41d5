/** Protocol as tools of a model, and their execution, for harnesses. */
export { callTool, type CallToolOptions, type ToolResult } from './call-tool.js';
export { type AllowedReach, TOOL_PROFILES, type ToolProfile, type ToolOffer } from './catalog.js';
export type { ToolContent } from './content.js';
export { TOOL_FORMATS, toolSchemas, type ToolFormat } from './formats.js';
