import { mcpRoutes } from '@signalbox/contracts/mcp/routes'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { read } from '../../client/index.ts'
import { CopyAs, PageHeader, PageLink, Section } from '../../components/index.ts'
import { Calls } from './calls.tsx'
import { Connect } from './connect.tsx'
import { readMcpAddress } from './mcp-address.ts'
import { TokenSelect } from './token-select.tsx'
import { Tools } from './tools-of-token.tsx'
import { useTokens } from './use-tokens.ts'

const page = getRouteApi('/shell/mcp')

/** How an agent is connected, which tools it is offered, and what it called. */
export function McpPage(): ReactNode {
  const { client = 'claude-code', token: tokenId } = page.useSearch()
  const navigate = page.useNavigate()
  const query = tokenId === undefined ? {} : { token_id: tokenId }
  const tools = useQuery(read(mcpRoutes.listMcpTools, { query }))
  const tokens = useTokens()
  const token = tokens.find(({ id }) => id === tokenId)
  return (
    <>
      <PageHeader
        title="Agents"
        sentence="An agent asks through tools, with a token. A tool does what the same person may do by the API, and each write is planned first."
        actions={
          <CopyAs
            path={tokenId === undefined ? '/v1/mcp/tools' : `/v1/mcp/tools?token_id=${tokenId}`}
            command={['mcp', 'tools', ...(tokenId === undefined ? [] : ['--as-token', tokenId])]}
          />
        }
      />
      <Section title="Connect a client" actions={<PageLink to="/account/tokens">Create a token with limits</PageLink>}>
        <Connect
          client={client}
          address={tools.data?.address}
          onChoose={(chosen) => void navigate({ search: (old) => ({ ...old, client: chosen }), replace: true })}
        />
      </Section>
      <Section title="What a token sees">
        <TokenSelect
          tokens={tokens}
          value={tokenId}
          onChange={(chosen) => void navigate({ search: readMcpAddress({ client, token: chosen }) })}
        />
        <Tools tools={tools} token={token} />
      </Section>
      <Section title="Calls of the last day">
        <Calls tokenId={tokenId} />
      </Section>
    </>
  )
}
