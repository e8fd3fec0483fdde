export type { McpIdentity, McpServerType } from './build-server.ts'
export { type Documents, openDocuments } from './documents.ts'
export { createMcpEndpoint, type McpAnswer, type McpEndpoint } from './endpoint.ts'
export {
  type Completion,
  type McpOffer,
  type OfferedPrompt,
  type OfferedResource,
  type OfferedTemplate,
  type OfferedTool,
  type OpenedPage,
  StateRefused,
  type ToolRequest,
  type ToolResult,
} from './offer.ts'
