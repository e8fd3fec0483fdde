import { profileRoutes } from '@signalbox/contracts/profiles/routes'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useEdited, useWrite } from '../../client/index.ts'
import { DeleteDialog } from '../../components/delete-dialog.tsx'
import { EditForm } from '../../components/edit-form.tsx'
import { AllowedButton, CopyAs, PageHeader, PageLink } from '../../components/index.ts'
import { ObjectPending } from '../../components/object-pending.tsx'
import { contentOf, draftOf, type Profile } from './profile.ts'
import { PROFILE_FIELDS, ProfileFields } from './profile-fields.tsx'
import styles from './profile-page.module.css'

const page = getRouteApi('/shell/profiles/$id')
const CHANGES = [profileRoutes.listProfiles, profileRoutes.getProfile]

/** One profile, to read and to change. */
export function ProfilePage(): ReactNode {
  const profile = useQuery(page.useLoaderData())
  if (profile.data === undefined) {
    return <ObjectPending title="Profile" query={profile} />
  }
  const { body, etag } = profile.data
  return <LoadedProfile key={body.id} profile={body} etag={etag} />
}

interface LoadedProfileProps {
  readonly profile: Profile
  readonly etag: string | undefined
}

function LoadedProfile({ profile, etag }: LoadedProfileProps): ReactNode {
  const edited = useEdited({
    route: profileRoutes.replaceProfile,
    params: { id: profile.id },
    changes: CHANGES,
    stored: profile,
    etag,
    draftOf,
    documentOf: contentOf,
  })
  const [isDeleting, setDeleting] = useState(false)
  return (
    <>
      <PageHeader
        title={profile.name}
        team={profile.team_path}
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
      <EditForm
        edited={edited}
        marked={PROFILE_FIELDS}
        permission="profile.write"
        at={profile.team_path}
        className={styles['form']}
      >
        <ProfileFields draft={edited.draft} onChange={edited.setDraft} error={edited.error} />
      </EditForm>
      {isDeleting && <DeleteProfile profile={profile} etag={etag} onClose={() => setDeleting(false)} />}
    </>
  )
}

function DeleteProfile({ profile, etag, onClose }: LoadedProfileProps & { readonly onClose: () => void }): ReactNode {
  const navigate = useNavigate()
  const remove = useWrite(profileRoutes.deleteProfile, {
    changes: [profileRoutes.listProfiles],
    shown: [profileRoutes.getProfile],
    onDone: () => void navigate({ to: '/t/$team/profiles', params: { team: profile.team_path } }),
  })
  return (
    <DeleteDialog
      title={`Delete ${profile.identifier}?`}
      loss="A profile that a pipeline names cannot be deleted."
      stored={contentOf(draftOf(profile))}
      etag={etag}
      write={remove}
      onDelete={(ifMatch) => remove.mutate({ params: { id: profile.id }, ifMatch })}
      onClose={onClose}
    />
  )
}
