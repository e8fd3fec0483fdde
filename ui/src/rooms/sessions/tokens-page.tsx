import { tokenRoutes } from '@signalbox/contracts/access/routes'
import type { SuccessOf } from '@signalbox/contracts/http/routes'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { itemsOf, moreOf, useWrite } from '../../client/index.ts'
import {
  type Column,
  ConfirmButton,
  DataList,
  EmptyState,
  Instant,
  PageHeader,
  Section,
} from '../../components/index.ts'
import { limitsInWords } from '../../components/token-limits.ts'
import { NewTokenForm } from './new-token-form.tsx'
import { type MadeToken, ShownToken } from './shown-token.tsx'

const page = getRouteApi('/shell/account/tokens')

type Token = SuccessOf<typeof tokenRoutes.listTokens>[number]

/** One's own tokens: made, shown once, revoked. */
export function TokensPage(): ReactNode {
  const tokens = useInfiniteQuery(page.useLoaderData())
  const revoke = useWrite(tokenRoutes.revokeToken, { changes: [tokenRoutes.listTokens] })
  const [made, setMade] = useState<MadeToken>()
  return (
    <>
      <PageHeader
        title="Your tokens"
        sentence="Programs and the command line send a token instead of a password. A token may do what you may, or less."
      />
      <Section title="Create a token">
        {made ? <ShownToken made={made} onDone={() => setMade(undefined)} /> : <NewTokenForm onMade={setMade} />}
      </Section>
      <DataList
        label="Your tokens"
        columns={[...COLUMNS, revokingBy((id) => revoke.mutateAsync({ params: { id } }))]}
        items={tokens.data && itemsOf(tokens.data)}
        keyOf={({ id }) => id}
        {...moreOf(tokens)}
        empty={
          <EmptyState title="No token yet" command="signalbox token create laptop">
            Name one above after its purpose, such as the machine that uses it.
          </EmptyState>
        }
      />
    </>
  )
}

const COLUMNS: readonly Column<Token>[] = [
  { key: 'name', header: 'Name', isPlain: true, cell: ({ name }) => name },
  { key: 'ending', header: 'Ends in', cell: ({ last_four }) => <code>…{last_four}</code> },
  { key: 'limits', header: 'Limited to', cell: (token) => limitsInWords(token) },
  { key: 'created', header: 'Made', cell: ({ created_at }) => <Instant at={created_at} /> },
  { key: 'used', header: 'Last used', cell: ({ last_used_at }) => <Instant at={last_used_at} /> },
  {
    key: 'expires',
    header: 'Expires',
    cell: ({ expires_at }) => (expires_at === null ? 'never' : <Instant at={expires_at} />),
  },
]

function revokingBy(revoke: (id: string) => Promise<unknown>): Column<Token> {
  return {
    key: 'revoke',
    header: 'Revoke',
    isPlain: true,
    cell: ({ id, name }) => (
      <ConfirmButton
        question={`Revoke the token ${name}?`}
        loss="Whatever uses it stops at once. A revoked token never works again."
        deed="Revoke it"
        onConfirm={() => revoke(id)}
      >
        Revoke
      </ConfirmButton>
    ),
  }
}
