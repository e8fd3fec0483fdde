import { Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import type { GitAppProvider } from '@signalbox/contracts/git-apps'
import { gitAppRoutes } from '@signalbox/contracts/git-apps/routes'
import { type ReactNode, useState } from 'react'
import { useWrite } from '../../client/index.ts'
import { AllowedButton, fieldError, GrowingText, ProblemNotice, Section, TeamSelect } from '../../components/index.ts'
import { CHANGES } from './git-app.ts'
import styles from './git-apps-page.module.css'
import { PROVIDERS } from './providers.ts'

const MARKED = ['app_id', 'base_url', 'team_path', 'private_key', 'webhook_secret', 'credential_ref']

/** Stores an app that was made by hand at the provider, or the connection to a provider that has no apps. */
export function ConnectForm({ provider }: { readonly provider: GitAppProvider }): ReactNode {
  const { name, hasApps } = PROVIDERS[provider]
  const [appId, setAppId] = useState('')
  const [baseUrl, setBaseUrl] = useState('')
  const [teamPath, setTeamPath] = useState('')
  const [privateKey, setPrivateKey] = useState('')
  const [webhookSecret, setWebhookSecret] = useState('')
  const [credential, setCredential] = useState('')
  const { mutate, error, isPending } = useWrite(gitAppRoutes.replaceGitApp, { changes: CHANGES })

  function submit(): void {
    mutate({
      params: { provider },
      body: {
        app_id: appId.trim(),
        ...(teamPath === '' ? {} : { team_path: teamPath }),
        ...(baseUrl.trim() === '' ? {} : { base_url: baseUrl.trim() }),
        ...(privateKey.trim() === '' ? {} : { private_key: privateKey }),
        ...(webhookSecret === '' ? {} : { webhook_secret: webhookSecret }),
        ...(credential.trim() === '' ? {} : { credential_ref: credential.trim() }),
      },
    })
  }

  return (
    <Section title={hasApps ? 'Store an app that exists already' : `Connect ${name}`}>
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault()
          if (!isPending) submit()
        }}
      >
        <Stack gap="md">
          <Text size="sm">
            {hasApps
              ? `Its page at ${name} shows the id, and makes a private key.`
              : `${name} has no apps: the token of an account stands for one. Store it as a secret first.`}
          </Text>
          <TextInput
            label={hasApps ? 'App id' : 'Login of the account'}
            required
            autoComplete="off"
            value={appId}
            error={fieldError(error, 'app_id')}
            onChange={({ currentTarget }) => setAppId(currentTarget.value)}
          />
          <TextInput
            label={`Address of ${name}`}
            description={hasApps ? 'Empty: the public one.' : 'Its host must be one of provider_hosts.'}
            placeholder="https://git.example.com"
            autoComplete="off"
            value={baseUrl}
            error={fieldError(error, 'base_url')}
            onChange={({ currentTarget }) => setBaseUrl(currentTarget.value)}
          />
          <TeamSelect
            label="Team of its source"
            value={teamPath}
            onChange={setTeamPath}
            error={fieldError(error, 'team_path')}
          />
          {hasApps ? (
            <GrowingText
              label="Private key"
              description="The whole file, from BEGIN to END. It is stored sealed, and never shown again."
              required
              least={3}
              most={8}
              autoComplete="off"
              spellCheck={false}
              value={privateKey}
              error={fieldError(error, 'private_key')}
              onChange={({ currentTarget }) => setPrivateKey(currentTarget.value)}
            />
          ) : (
            <TextInput
              label="Stored token"
              description="secret:<team path>/<name>, or env:NAME where the operator lists NAME."
              placeholder="secret:acme/gitea"
              required
              autoComplete="off"
              value={credential}
              error={fieldError(error, 'credential_ref')}
              onChange={({ currentTarget }) => setCredential(currentTarget.value)}
            />
          )}
          <PasswordInput
            label="Webhook secret"
            description="Proves what the provider sends. With it the source of the app is made. Empty: none yet."
            autoComplete="off"
            value={webhookSecret}
            error={fieldError(error, 'webhook_secret')}
            onChange={({ currentTarget }) => setWebhookSecret(currentTarget.value)}
          />
          <ProblemNotice error={error} marked={MARKED} />
          <Group>
            <AllowedButton
              type="submit"
              permission="git_app.write"
              at="/"
              variant={hasApps ? 'default' : 'filled'}
              loading={isPending}
            >
              {hasApps ? 'Store the app' : 'Connect'}
            </AllowedButton>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
