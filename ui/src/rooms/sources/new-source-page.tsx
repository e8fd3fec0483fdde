import {
  Button,
  Group,
  PasswordInput,
  SegmentedControl,
  Select,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core'
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
const MARKED = ['name', 'provider', 'team_path', 'base_url', 'credential_ref', 'repository_allowlist', 'value']
/** There is no field for it: it follows from the provider. */
const MARKED_OF_APP = MARKED.filter((field) => field !== 'credential_ref')

type Proof = 'new' | 'stored' | 'app'

/** Makes a source in three steps: the provider, the secret, the repositories. Its page then has the values to paste. */
export function NewSourcePage(): ReactNode {
  const { team } = page.useParams()
  const navigate = page.useNavigate()
  const [provider, setProvider] = useState('github')
  const [name, setName] = useState('')
  const [teamPath, setTeamPath] = useState(team === EVERY_TEAM ? '' : team)
  const [chosenProof, setProof] = useState<Proof>('new')
  const [baseUrl, setBaseUrl] = useState('')
  const [secret, setSecret] = useState('')
  const [value, setValue] = useState('')
  const [repositories, setRepositories] = useState<string[]>([])
  const hasApp = PROVIDERS.find(({ id }) => id === provider)?.hasApp === true
  const proof = chosenProof === 'app' && !hasApp ? 'new' : chosenProof
  const storing = useWrite(secretRoutes.createSecret, { changes: [secretRoutes.listSecrets] })
  const secrets = useQuery({
    ...readAll(secretRoutes.listSecrets, { query: { limit: 500, team_path: teamPath } }),
    enabled: teamPath !== '' && proof === 'stored',
  })
  const create = useWrite(sourceRoutes.createSource, {
    changes: [sourceRoutes.listSources],
    onDone: ({ id }) => void navigate({ to: '/sources/$id', params: { id } }),
  })

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (storing.isPending || create.isPending) return
    const secretName = proof === 'new' ? `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}-webhook` : secret
    if (proof === 'new') {
      try {
        await storing.mutateAsync({ body: { team_path: teamPath, name: secretName, value } })
      } catch {
        // The form shows it.
        return
      }
      // A source that is refused may be sent again: the secret is there by then.
      setProof('stored')
      setSecret(secretName)
    }
    create.mutate({
      body: {
        name,
        provider,
        team_path: teamPath,
        repository_allowlist: repositories,
        ...(proof === 'app' ? byApp(provider, baseUrl) : { credential_ref: `secret:${teamPath}/${secretName}` }),
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
                  ...(hasApp ? [{ value: 'app', label: 'That of the Git app' }] : []),
                ]}
                value={proof}
                onChange={(chosen) => setProof(PROOFS.find((one) => one === chosen) ?? 'new')}
              />
              {proof === 'app' && <AppFields {...{ provider, baseUrl, setBaseUrl, error }} />}
              {proof === 'new' && (
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
              )}
              {proof === 'stored' && (
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
          <ProblemNotice error={error} marked={proof === 'app' ? MARKED_OF_APP : MARKED} />
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

const PROOFS: readonly Proof[] = ['new', 'stored', 'app']

/** The app proves deliveries by its webhook secret, and everything else by tokens of its installations. */
function byApp(provider: string, baseUrl: string) {
  const ref = `app:${provider}`
  return {
    credential_ref: ref,
    checkout_credential_ref: ref,
    read_repository: true,
    report_status: true,
    ...(baseUrl.trim() === '' ? {} : { base_url: baseUrl.trim() }),
  }
}

interface AppFieldsProps {
  readonly provider: string
  readonly baseUrl: string
  readonly setBaseUrl: (baseUrl: string) => void
  readonly error: Error | null
}

function AppFields({ provider, baseUrl, setBaseUrl, error }: AppFieldsProps): ReactNode {
  return (
    <>
      <Text size="sm">
        The app of the provider (app:{provider}) proves what it sends, and gives tokens for checkouts, manifests and
        results. An administrator lets the team use its installations.
      </Text>
      <TextInput
        label="Address of the provider"
        description="That of the app. Empty: the public one."
        autoComplete="off"
        value={baseUrl}
        error={fieldError(error, 'base_url')}
        onChange={({ currentTarget }) => setBaseUrl(currentTarget.value)}
      />
    </>
  )
}
