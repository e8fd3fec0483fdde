import { TextInput } from '@mantine/core'
import { profileRoutes } from '@signalbox/contracts/profiles/routes'
import { type ReactNode, useState } from 'react'
import { useWrite } from '../../client/index.ts'
import { FormDialog, fieldError, TeamSelect } from '../../components/index.ts'
import { contentOf, EMPTY_DRAFT } from './profile.ts'
import { PROFILE_FIELDS, ProfileFields } from './profile-fields.tsx'

interface CreateProfileProps {
  readonly team: string
  readonly onClose: () => void
}

/** Makes a profile. */
export function CreateProfile({ team, onClose }: CreateProfileProps): ReactNode {
  const [teamPath, setTeamPath] = useState(team)
  const [name, setName] = useState('')
  const [draft, setDraft] = useState(EMPTY_DRAFT)
  const create = useWrite(profileRoutes.createProfile, { changes: [profileRoutes.listProfiles], onDone: onClose })
  return (
    <FormDialog
      title="Create a profile"
      isOpen
      onClose={onClose}
      onSubmit={() => create.mutate({ body: { team_path: teamPath, name, ...contentOf(draft) } })}
      action="Create"
      isSending={create.isPending}
      error={create.error}
      marked={['team_path', 'name', ...PROFILE_FIELDS]}
    >
      <TeamSelect value={teamPath} onChange={setTeamPath} error={fieldError(create.error, 'team_path')} />
      <TextInput
        label="Name"
        required
        placeholder="node24"
        value={name}
        error={fieldError(create.error, 'name')}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <ProfileFields draft={draft} onChange={setDraft} error={create.error} />
    </FormDialog>
  )
}
