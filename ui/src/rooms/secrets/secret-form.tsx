import { Checkbox, PasswordInput, TextInput } from '@mantine/core'
import { etagOf } from '@signalbox/contracts/http/etags'
import type { Operation } from '@signalbox/contracts/http/routes'
import { secretRoutes } from '@signalbox/contracts/secrets/routes'
import { type ReactNode, useState } from 'react'
import { isConflict, useWrite } from '../../client/index.ts'
import { ChangedNotice } from '../../components/changed-notice.tsx'
import { FormDialog, fieldError, TeamSelect } from '../../components/index.ts'
import type { Secret } from './secret.ts'

interface SecretFormProps {
  /** The secret that gets a new version; absent: a new one. */
  readonly secret?: Secret
  readonly team?: string
  /** Further routes whose answers the write changes. */
  readonly changes?: readonly Operation[]
  readonly onClose: () => void
}

const CHANGES = [secretRoutes.listSecrets, secretRoutes.getSecret]
const MARKED = ['team_path', 'name', 'value', 'environments']

/** Stores a secret, or a new version of one. */
export function SecretForm({ secret, team = '', changes = [], onClose }: SecretFormProps): ReactNode {
  const [teamPath, setTeamPath] = useState(secret?.team_path ?? team)
  const [name, setName] = useState(secret?.name ?? '')
  const [value, setValue] = useState('')
  const [environments, setEnvironments] = useState(secret?.environments.join(', ') ?? '')
  const [keepsPrevious, setKeepsPrevious] = useState(true)
  const create = useWrite(secretRoutes.createSecret, { changes: CHANGES, onDone: onClose })
  const replace = useWrite(secretRoutes.replaceSecret, { changes: [...CHANGES, ...changes], onDone: onClose })
  const write = secret ? replace : create
  // As it was when the person began; once it was shown as changed, as it was shown.
  const [seen] = useState(secret)
  const isMet = isConflict(write.error)
  const named = environments.split(/[\s,]+/).filter((each) => each !== '')

  function submit(): void {
    if (secret) {
      replace.mutate({
        params: { id: secret.id },
        body: { value, environments: named, keep_previous: keepsPrevious },
        ifMatch: etagOf((isMet ? secret : (seen ?? secret)).version),
      })
    } else create.mutate({ body: { team_path: teamPath, name, value, environments: named } })
  }

  return (
    <FormDialog
      title={secret ? `A new version of ${secret.team_path}/${secret.name}` : 'Store a secret'}
      isOpen
      onClose={onClose}
      onSubmit={submit}
      action="Store"
      isSending={write.isPending}
      error={isMet ? null : write.error}
      marked={MARKED}
    >
      {!secret && (
        <>
          <TeamSelect value={teamPath} onChange={setTeamPath} error={fieldError(write.error, 'team_path')} />
          <TextInput
            label="Name"
            required
            value={name}
            error={fieldError(write.error, 'name')}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
        </>
      )}
      <PasswordInput
        label="Value"
        required
        autoComplete="off"
        value={value}
        error={fieldError(write.error, 'value')}
        onChange={({ currentTarget }) => setValue(currentTarget.value)}
      />
      <TextInput
        label="Environments"
        description="Only runs of these may use it. Empty: all of the team."
        value={environments}
        error={fieldError(write.error, 'environments')}
        onChange={({ currentTarget }) => setEnvironments(currentTarget.value)}
      />
      {secret && (
        <Checkbox
          label="The version in use goes on working until you retire it"
          checked={keepsPrevious}
          onChange={({ currentTarget }) => setKeepsPrevious(currentTarget.checked)}
        />
      )}
      {secret && seen && <ChangedNotice error={write.error} seen={knownOf(seen)} now={knownOf(secret)} />}
    </FormDialog>
  )
}

function knownOf({ version, environments }: Secret): object {
  return { version, environments: environments.join(', ') }
}
