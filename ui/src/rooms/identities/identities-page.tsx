import { Alert, Group, Text } from '@mantine/core'
import { signInRoutes } from '@signalbox/contracts/identities/routes'
import { sessionRoutes } from '@signalbox/contracts/sessions/routes'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { call, read } from '../../client/index.ts'
import { useMe } from '../../client/session.ts'
import { CopyAs, EmptyState, PageHeader, ProblemNotice, ReadyButton, Section } from '../../components/index.ts'
import { wordsOf } from '../sessions/index.ts'
import { Identities } from './identities.tsx'

const page = getRouteApi('/shell/account/identities')
const HERE = '#/account/identities'

/** One's own accounts at providers: by each of them one signs in. */
export function IdentitiesPage(): ReactNode {
  const me = useMe()
  const refusal = wordsOf(page.useSearch().error)
  return (
    <>
      <PageHeader
        title="Your accounts at providers"
        sentence="By each of these accounts you sign in to this page as yourself."
        actions={
          me?.kind === 'user' && (
            <CopyAs path={`/v1/users/${me.id}/identities`} command={['user', 'identities', me.id]} />
          )
        }
      />
      {refusal !== undefined && (
        <Alert color="danger" variant="light" role="alert" title="The account is not linked" mb="md">
          {refusal}
        </Alert>
      )}
      {me && me.kind !== 'user' && (
        <EmptyState title="Not for tokens of programs">Only a user signs in by an account at a provider.</EmptyState>
      )}
      {me?.kind === 'user' && (
        <>
          <Identities
            userId={me.id}
            loss="You cannot sign in by it any more, and your other sessions end. Make sure that you have a password or another account."
            empty="Link one below, where this installation has providers."
          />
          <LinkAccount />
        </>
      )}
    </>
  )
}

/** Leads to the provider, and comes back here. */
function LinkAccount(): ReactNode {
  const ways = useQuery(read(sessionRoutes.getSignIn))
  const begin = useMutation({
    mutationFn: (provider: string) =>
      call(signInRoutes.linkIdentity, { params: { provider }, body: { return_to: HERE } }),
    onSuccess: ({ url }) => location.assign(url),
  })
  const providers = ways.data?.providers ?? []
  return (
    <Section title="Link another account">
      {ways.data && providers.length === 0 && (
        <Text c="dimmed">This installation has no provider: an administrator configures them.</Text>
      )}
      <Group gap="sm">
        {providers.map(({ id, name }) => (
          <ReadyButton
            key={id}
            variant="default"
            loading={begin.isPending && begin.variables === id}
            onClick={() => begin.mutate(id)}
          >
            Link {name}
          </ReadyButton>
        ))}
      </Group>
      <ProblemNotice error={begin.error ?? ways.error} />
    </Section>
  )
}
