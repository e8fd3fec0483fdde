import { Checkbox, PasswordInput, Text } from '@mantine/core'
import { gitAppRoutes } from '@signalbox/contracts/git-apps/routes'
import { type ReactNode, useState } from 'react'
import { isConflict, useWrite } from '../../client/index.ts'
import { ChangedNotice } from '../../components/changed-notice.tsx'
import { FormDialog, fieldError, GrowingText } from '../../components/index.ts'
import { type App, CHANGES } from './git-app.ts'
import { PROVIDERS } from './providers.ts'

interface RotateKeysProps {
  readonly app: App
  readonly etag: string | undefined
  readonly onClose: () => void
}

/** Stores a new key beside the one in use: both are good while the provider changes over. */
export function RotateKeys({ app, etag, onClose }: RotateKeysProps): ReactNode {
  const [privateKey, setPrivateKey] = useState('')
  const [webhookSecret, setWebhookSecret] = useState('')
  const [keepsPrevious, setKeepsPrevious] = useState(true)
  const [seen] = useState({ app, etag })
  const { mutate, error, isPending } = useWrite(gitAppRoutes.replaceGitApp, {
    changes: CHANGES,
    shown: [gitAppRoutes.getGitApp],
    onDone: onClose,
  })
  const isMet = isConflict(error)
  const isEmpty = privateKey.trim() === '' && webhookSecret === ''
  return (
    <FormDialog
      title={`New keys of ${app.name ?? app.app_id}`}
      isOpen
      onClose={onClose}
      onSubmit={() =>
        mutate({
          params: { provider: app.provider },
          body: {
            app_id: app.app_id,
            ...(privateKey.trim() === '' ? {} : { private_key: privateKey }),
            ...(webhookSecret === '' ? {} : { webhook_secret: webhookSecret }),
            keep_previous: keepsPrevious,
          },
          ifMatch: isMet ? etag : seen.etag,
        })
      }
      action="Store"
      obstacle={isEmpty ? 'Paste a key first.' : undefined}
      isSending={isPending}
      error={isMet ? null : error}
      marked={['private_key', 'webhook_secret']}
    >
      <Text size="sm">What is left empty stays. Keys go in and never come out.</Text>
      {PROVIDERS[app.provider].hasApps && (
        <GrowingText
          label="Private key"
          description="The whole file of the provider, from BEGIN to END."
          least={3}
          most={8}
          autoComplete="off"
          spellCheck={false}
          value={privateKey}
          error={fieldError(error, 'private_key')}
          onChange={({ currentTarget }) => setPrivateKey(currentTarget.value)}
        />
      )}
      <PasswordInput
        label="Webhook secret"
        description="Store it here first, then enter the same at the provider."
        autoComplete="off"
        value={webhookSecret}
        error={fieldError(error, 'webhook_secret')}
        onChange={({ currentTarget }) => setWebhookSecret(currentTarget.value)}
      />
      <Checkbox
        label="The key in use goes on working beside the new one"
        checked={keepsPrevious}
        onChange={({ currentTarget }) => setKeepsPrevious(currentTarget.checked)}
      />
      <ChangedNotice error={error} seen={knownOf(seen.app)} now={knownOf(app)} />
    </FormDialog>
  )
}

function knownOf({ app_id, keys = [] }: App): object {
  return { app_id, keys: keys.map(({ kind, fingerprint }) => `${kind} ${fingerprint}`).join(', ') }
}
