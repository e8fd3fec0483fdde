import { IconPlugConnected } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { type NavigationEntry, shellRoute } from '../../shell/index.ts'
import { readMcpAddress } from './mcp-address.ts'

const mcpPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'mcp',
  validateSearch: readMcpAddress,
  component: lazyRouteComponent(() => import('./mcp-page.tsx'), 'McpPage'),
})

export const pages = [mcpPage] as const

export const navigation: readonly NavigationEntry[] = [
  { label: 'Agents', icon: IconPlugConnected, path: '/mcp', group: 'people', key: 'm' },
]
