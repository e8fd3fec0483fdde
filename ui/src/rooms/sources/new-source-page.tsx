import { Button, Group, PasswordInput, SegmentedControl, Select, Stack, TagsInput, TextInput } from '@mantine/core'
import { secretRoutes } from '@signalbox/contracts/secrets/routes'
import { sourceRoutes } from '@signalbox/contracts/sources/routes'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { itemsOf, newKey, readAll, useWrite } from '../../client/index.ts'
import {
  AllowedButton,
  CopyButton,
  fieldError,
  PageHeader,
  PageLink,
  ProblemNotice,
  Section,
  TeamSelect,
} from '../../components/index.ts'
import { EVERY_TEAM } from '../../shell/index.ts'
import styles from './new-source-page.module.css'
import { PROVIDERS } from './providers.ts'

const page = getRouteApi('/shell/t/$team/sources/new')
const MARKED = ['name', 'provider', 'team_path', 'credential_ref', 'repository_allowlist', 'value']

/** Makes a source in three steps: the provider, the secret, the repositories. Its page then has the values to paste. */
export function NewSourcePage(): ReactNode {
  const { team } = page.useParams()
  const navigate = page.useNavigate()
  const [provider, setProvider] = useState('github')
  const [name, setName] = useState('')
  const [teamPath, setTeamPath] = useState(team === EVERY_TEAM ? '' : team)
  const [isNewSecret, setNewSecret] = useState(true)
  const [secret, setSecret] = useState('')
  const [value, setValue] = useState('')
  const [repositories, setRepositories] = useState<string[]>([])
  const storing = useWrite(secretRoutes.createSecret, { changes: [secretRoutes.listSecrets] })
  const secrets = useQuery({
    ...readAll(secretRoutes.listSecrets, { query: { limit: 500, team_path: teamPath } }),
    enabled: teamPath !== '' && !isNewSecret,
  })
  const create = useWrite(sourceRoutes.createSource, {
    changes: [sourceRoutes.listSources],
    onDone: ({ id }) => void navigate({ to: '/sources/$id', params: { id } }),
  })

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (storing.isPending || create.isPending) return
    const secretName = isNewSecret ? `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}-webhook` : secret
    if (isNewSecret) {
      try {
        await storing.mutateAsync({ body: { team_path: teamPath, name: secretName, value } })
      } catch {
        // The form shows it.
        return
      }
      // A source that is refused may be sent again: the secret is there by then.
      setNewSecret(false)
      setSecret(secretName)
    }
    create.mutate({
      body: {
        name,
        provider,
        team_path: teamPath,
        credential_ref: `secret:${teamPath}/${secretName}`,
        repository_allowlist: repositories,
      },
    })
  }

  const error = storing.error ?? create.error
  return (
    <>
      <PageHeader
        title="Create a source"
        breadcrumb={[
          <PageLink key="list" to="/t/$team/sources" params={{ team }}>
            Sources
          </PageLink>,
        ]}
        sentence="Then its page shows the values to paste at the provider, and waits for the first delivery."
      />
      <form className={styles['form']} onSubmit={(event) => void submit(event)}>
        <Stack gap="md">
          <Section title="1. The provider">
            <Stack gap="md">
              <Select
                label="Provider"
                required
                allowDeselect={false}
                data={PROVIDERS.map((each) => ({ value: each.id, label: each.name }))}
                value={provider}
                error={fieldError(error, 'provider')}
                onChange={(chosen) => setProvider(chosen ?? 'github')}
              />
              <TextInput
                label="Name"
                required
                placeholder="shop"
                value={name}
                error={fieldError(error, 'name')}
                onChange={({ currentTarget }) => setName(currentTarget.value)}
              />
              <TeamSelect value={teamPath} onChange={setTeamPath} error={fieldError(error, 'team_path')} />
            </Stack>
          </Section>
          <Section title="2. The secret that proves what it sends">
            <Stack gap="md">
              <SegmentedControl
                className={styles['choice']}
                aria-label="Secret"
                size="xs"
                data={[
                  { value: 'new', label: 'A new one' },
                  { value: 'stored', label: 'One that is stored' },
                ]}
                value={isNewSecret ? 'new' : 'stored'}
                onChange={(chosen) => setNewSecret(chosen === 'new')}
              />
              {isNewSecret ? (
                <>
                  <PasswordInput
                    label="Value"
                    description="Enter the same at the provider. It is stored sealed, and never shown again."
                    required
                    autoComplete="off"
                    value={value}
                    error={fieldError(error, 'value')}
                    onChange={({ currentTarget }) => setValue(currentTarget.value)}
                  />
                  <Group>
                    <Button variant="default" onClick={() => setValue(newKey())}>
                      Create one
                    </Button>
                    {value !== '' && <CopyButton text={value} label="Copy the value" isCompact />}
                  </Group>
                </>
              ) : (
                <Select
                  label="Secret"
                  required
                  searchable
                  data={itemsOf(secrets.data).map((each) => each.name)}
                  value={secret === '' ? null : secret}
                  error={fieldError(error, 'credential_ref')}
                  onChange={(chosen) => setSecret(chosen ?? '')}
                />
              )}
            </Stack>
          </Section>
          <Section title="3. The repositories that it may speak for">
            <Stack gap="md">
              <TagsInput
                label="Repositories"
                description="owner/repository patterns: * within a part, ** across, ! excludes. Enter adds one."
                required={repositories.length === 0}
                value={repositories}
                error={fieldError(error, 'repository_allowlist')}
                onChange={setRepositories}
              />
            </Stack>
          </Section>
          <ProblemNotice error={error} marked={MARKED} />
          <Group>
            <AllowedButton
              type="submit"
              permission="webhook_source.write"
              at={teamPath === '' ? '/' : teamPath}
              loading={storing.isPending || create.isPending}
            >
              Create the source
            </AllowedButton>
          </Group>
        </Stack>
      </form>
    </>
  )
}
