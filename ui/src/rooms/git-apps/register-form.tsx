import { Group, Stack, Text, TextInput } from '@mantine/core'
import type { GitAppProvider } from '@signalbox/contracts/git-apps'
import { gitAppRoutes } from '@signalbox/contracts/git-apps/routes'
import { type ReactNode, useState } from 'react'
import { useWrite } from '../../client/index.ts'
import { AllowedButton, fieldError, ProblemNotice, Section, TeamSelect } from '../../components/index.ts'
import styles from './git-apps-page.module.css'
import { leadAway } from './lead-away.ts'
import { PROVIDERS } from './providers.ts'

const MARKED = ['organization', 'team_path', 'name', 'base_url', 'callback_url']

/** Registers an app: the browser takes its description to the provider, and comes back with the app. */
export function RegisterForm({ provider }: { readonly provider: GitAppProvider }): ReactNode {
  const [organization, setOrganization] = useState('')
  const [teamPath, setTeamPath] = useState('')
  const [name, setName] = useState('')
  const [baseUrl, setBaseUrl] = useState('')
  const [callbackUrl, setCallbackUrl] = useState('')
  const start = useWrite(gitAppRoutes.startRegistration, {
    changes: [],
    onDone: ({ form_url }) => leadAway(form_url),
  })
  const { name: providerName } = PROVIDERS[provider]

  function submit(): void {
    start.mutate({
      params: { provider },
      body: {
        organization: organization.trim(),
        ...(teamPath === '' ? {} : { team_path: teamPath }),
        ...givenOf('name', name),
        ...givenOf('base_url', baseUrl),
        ...givenOf('callback_url', callbackUrl),
      },
    })
  }

  return (
    <Section title="Register an app">
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault()
          if (!start.isPending) submit()
        }}
      >
        <Stack gap="md">
          <Text size="sm">
            {providerName} shows what the app may do and asks you to create it. You come back to this page, and its keys
            are stored sealed.
          </Text>
          <TextInput
            label="Organization"
            description={`Who owns the app at ${providerName}. You may manage its apps.`}
            required
            autoComplete="off"
            value={organization}
            error={fieldError(start.error, 'organization')}
            onChange={({ currentTarget }) => setOrganization(currentTarget.value)}
          />
          <TeamSelect
            label="Team of its source"
            value={teamPath}
            onChange={setTeamPath}
            error={fieldError(start.error, 'team_path')}
          />
          <TextInput
            label="Name"
            description="Unique at the provider. Empty: Signalbox and the organization."
            maxLength={34}
            autoComplete="off"
            value={name}
            error={fieldError(start.error, 'name')}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <TextInput
            label="Address of the provider"
            description="Empty: the public one."
            placeholder="https://github.example.com"
            autoComplete="off"
            value={baseUrl}
            error={fieldError(start.error, 'base_url')}
            onChange={({ currentTarget }) => setBaseUrl(currentTarget.value)}
          />
          <TextInput
            label="Address of this service"
            description="As the provider and browsers reach it. Empty: the configured base_url."
            placeholder="https://ci.example.com"
            autoComplete="off"
            value={callbackUrl}
            error={fieldError(start.error, 'callback_url')}
            onChange={({ currentTarget }) => setCallbackUrl(currentTarget.value)}
          />
          <ProblemNotice error={start.error} marked={MARKED} />
          <Group>
            <AllowedButton type="submit" permission="git_app.write" at="/" loading={start.isPending || start.isSuccess}>
              Go on at {providerName}
            </AllowedButton>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}

/** What was left empty is not sent: the server then knows better. */
function givenOf<Field extends string>(field: Field, text: string): Partial<Record<Field, string>> {
  const given: Partial<Record<Field, string>> = {}
  if (text.trim() !== '') given[field] = text.trim()
  return given
}
