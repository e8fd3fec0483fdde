import { routesOf } from '../http/routes.ts'
import type * as shapes from './index.ts'

const MCP = { tag: 'mcp', path: '/v1/mcp' } as const

export const mcpRoutes = routesOf<typeof shapes>()({
  callMcp: {
    ...MCP,
    method: 'POST',
    class: 'authenticated',
    limitedTokens: 'ask',
    waits: true,
    summary: 'One message of the Model Context Protocol (JSON-RPC 2.0); an empty body lists the tools',
    rawBody: true,
    answers: { 200: 'stream', 202: 'empty', 400: 'text', 404: 'text' },
  },
  openMcpStream: {
    ...MCP,
    method: 'GET',
    class: 'public',
    summary: 'Not offered: there are no sessions',
    undocumented: true,
    answers: { 405: 'empty' },
  },
  endMcpSession: {
    ...MCP,
    method: 'DELETE',
    class: 'public',
    summary: 'Not offered: there are no sessions',
    undocumented: true,
    answers: { 405: 'empty' },
  },
  listMcpTools: {
    tag: 'mcp',
    method: 'GET',
    class: 'authenticated',
    limitedTokens: 'ask',
    path: '/v1/mcp/tools',
    summary: 'List the tools that agents are offered, as a token sees them',
    query: 'McpToolQuery',
    answers: { 200: 'McpTools' },
  },
  listMcpCalls: {
    tag: 'mcp',
    method: 'GET',
    class: 'authenticated',
    limitedTokens: 'no',
    path: '/v1/mcp/calls',
    summary: 'List calls of tools of the last day, newest first: your own, and all with audit.read',
    query: 'McpCallQuery',
    answers: { 200: ['McpCall'] },
  },
})
