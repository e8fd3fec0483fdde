import { Button, Group, Stack, Text } from '@mantine/core'
import { profileRoutes } from '@signalbox/contracts/profiles/routes'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { readDocument, useWrite } from '../../client/index.ts'
import {
  AllowedButton,
  ConflictNotice,
  CopyAs,
  FormDialog,
  isConflict,
  PageHeader,
  PageLink,
  ProblemNotice,
} from '../../components/index.ts'
import { contentOf, draftOf, type Profile } from './profile.ts'
import { PROFILE_FIELDS, ProfileFields } from './profile-fields.tsx'
import styles from './profile-page.module.css'

const page = getRouteApi('/shell/profiles/$id')
const CHANGES = [profileRoutes.listProfiles, profileRoutes.getProfile]

/** One profile, to read and to change. */
export function ProfilePage(): ReactNode {
  const { id } = page.useParams()
  const profile = useQuery(readDocument(profileRoutes.getProfile, { params: { id } }))
  if (profile.data === undefined) {
    return (
      <>
        <PageHeader title="Profile" />
        <ProblemNotice error={profile.error} onRetry={() => void profile.refetch()} />
      </>
    )
  }
  const { body, etag } = profile.data
  return (
    <LoadedProfile key={body.id} profile={body} etag={etag} onReload={async () => (await profile.refetch()).data} />
  )
}

interface LoadedProfileProps {
  readonly profile: Profile
  readonly etag: string | undefined
  readonly onReload: () => Promise<{ readonly body: Profile; readonly etag: string | undefined } | undefined>
}

function LoadedProfile({ profile, etag, onReload }: LoadedProfileProps): ReactNode {
  // As they were when the person began: a newer version is met at save.
  const [base, setBase] = useState({ profile, etag })
  const [draft, setDraft] = useState(() => draftOf(profile))
  const [isDeleting, setDeleting] = useState(false)
  const replace = useWrite(profileRoutes.replaceProfile, {
    changes: CHANGES,
    onDone: async () => {
      const saved = await onReload()
      if (saved) setBase({ profile: saved.body, etag: saved.etag })
    },
  })
  const save = (ifMatch: string | undefined): void =>
    replace.mutate({ params: { id: profile.id }, body: contentOf(draft), ifMatch })

  function submit(event: FormEvent): void {
    event.preventDefault()
    save(base.etag)
  }
  const isChanged = JSON.stringify(contentOf(draft)) !== JSON.stringify(contentOf(draftOf(base.profile)))
  return (
    <>
      <PageHeader
        title={profile.name}
        breadcrumb={[
          <PageLink key="list" to="/t/$team/profiles" params={{ team: profile.team_path }}>
            Profiles of {profile.team_path}
          </PageLink>,
        ]}
        actions={
          <>
            <AllowedButton
              permission="profile.write"
              at={profile.team_path}
              variant="default"
              onClick={() => setDeleting(true)}
            >
              Delete
            </AllowedButton>
            <CopyAs path={`/v1/profiles/${profile.id}`} command={['profile', 'show', profile.identifier]} />
          </>
        }
      />
      <form className={styles['form']} onSubmit={submit}>
        <Stack gap="md">
          <ProfileFields draft={draft} onChange={setDraft} error={replace.error} />
          <ConflictNotice
            error={replace.error}
            mine={JSON.stringify(contentOf(draft), null, 2)}
            theirs={JSON.stringify(contentOf(draftOf(profile)), null, 2)}
            onTakeTheirs={() => {
              setBase({ profile, etag })
              setDraft(draftOf(profile))
              replace.reset()
            }}
            onKeepMine={() => save(etag)}
          />
          {!isConflict(replace.error) && <ProblemNotice error={replace.error} marked={PROFILE_FIELDS} />}
          <Group gap="sm">
            <AllowedButton
              type="submit"
              permission="profile.write"
              at={profile.team_path}
              obstacle={isChanged ? undefined : 'Nothing is changed.'}
              loading={replace.isPending}
            >
              Save
            </AllowedButton>
            {isChanged && (
              <Button variant="default" onClick={() => setDraft(draftOf(base.profile))}>
                Undo the changes
              </Button>
            )}
          </Group>
        </Stack>
      </form>
      {isDeleting && <DeleteProfile profile={profile} onClose={() => setDeleting(false)} />}
    </>
  )
}

function DeleteProfile({ profile, onClose }: { readonly profile: Profile; readonly onClose: () => void }): ReactNode {
  const navigate = useNavigate()
  const remove = useWrite(profileRoutes.deleteProfile, {
    changes: [profileRoutes.listProfiles],
    onDone: () => void navigate({ to: '/t/$team/profiles', params: { team: profile.team_path } }),
  })
  return (
    <FormDialog
      title={`Delete ${profile.identifier}?`}
      isOpen
      onClose={onClose}
      onSubmit={() => remove.mutate({ params: { id: profile.id } })}
      action="Delete"
      isDangerous
      isSending={remove.isPending}
      error={remove.error}
    >
      <Text>A profile that a pipeline names cannot be deleted.</Text>
    </FormDialog>
  )
}
