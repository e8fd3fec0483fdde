import { Group, Select, TextInput } from '@mantine/core'
import { signInRoutes } from '@signalbox/contracts/identities/routes'
import { sessionRoutes } from '@signalbox/contracts/sessions/routes'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { read, useWrite } from '../../client/index.ts'
import { AllowedButton, fieldError, ProblemNotice } from '../../components/index.ts'
import type { User } from './user.ts'

/** Links an account by its subject, for somebody who never signed in by it. */
export function LinkSubject({ user }: { readonly user: User }): ReactNode {
  const ways = useQuery(read(sessionRoutes.getSignIn))
  const [provider, setProvider] = useState<string | null>(null)
  const [subject, setSubject] = useState('')
  const link = useWrite(signInRoutes.createIdentity, {
    changes: [signInRoutes.listIdentities],
    onDone: () => setSubject(''),
  })
  const providers = ways.data?.providers ?? []
  const chosen = provider ?? providers[0]?.id
  if (chosen === undefined) return null
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        link.mutate({ params: { id: user.id }, body: { provider: chosen, subject } })
      }}
    >
      <Group gap="sm" align="end" mt="md">
        <Select
          label="Provider"
          allowDeselect={false}
          data={providers.map(({ id, name }) => ({ value: id, label: name }))}
          value={chosen}
          error={fieldError(link.error, 'provider')}
          onChange={setProvider}
        />
        <TextInput
          label="Subject"
          description="The name of the account at its issuer: the claim sub"
          required
          value={subject}
          error={fieldError(link.error, 'subject')}
          onChange={({ currentTarget }) => setSubject(currentTarget.value)}
        />
        <AllowedButton type="submit" permission="user.write" at="/" variant="default" loading={link.isPending}>
          Link it
        </AllowedButton>
      </Group>
      <ProblemNotice error={link.error} marked={['provider', 'subject']} />
    </form>
  )
}
