import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMayDo } from '../../client/session.ts'
import { ForeignText, Instant, PageHeader, PageLink, Section, StatusBadge } from '../../components/index.ts'
import { ObjectPending } from '../../components/object-pending.tsx'
import { Identities } from '../identities/index.ts'
import { LinkSubject } from './link-subject.tsx'
import { UserActions } from './user-actions.tsx'
import { UserRoles } from './user-roles.tsx'
import { UserSessions } from './user-sessions.tsx'

const page = getRouteApi('/shell/system/users/$id')

/** One user: what they may do, where they are signed in, and by which accounts they sign in. */
export function UserPage(): ReactNode {
  const { id } = page.useParams()
  const mayWrite = useMayDo()('user.write', '/')
  const user = useQuery(page.useLoaderData())
  if (user.data === undefined) {
    return <ObjectPending title="User" query={user} />
  }
  const { body, etag } = user.data
  return (
    <>
      <PageHeader
        title={body.login}
        breadcrumb={[
          <PageLink key="users" to="/system/users">
            Users
          </PageLink>,
        ]}
        badge={<StatusBadge status={body.disabled ? 'disabled' : 'enabled'} />}
        facts={[
          <ForeignText key="name">{body.name}</ForeignText>,
          body.email !== null && <ForeignText key="email">{body.email}</ForeignText>,
          body.has_password ? 'has a password' : 'has no password',
          <span key="since">
            since <Instant at={body.created_at} />
          </span>,
        ].filter((fact) => fact !== false)}
        actions={<UserActions user={body} etag={etag} />}
      />
      <UserRoles user={body} />
      {mayWrite && (
        <>
          <UserSessions user={body} />
          <Section title="Accounts at providers">
            <Identities
              userId={id}
              loss="The user cannot sign in by it any more, and the sessions of the user end."
              empty="The user signs in with a password. Link an account below, or the user does so in the menu of the account."
            />
            <LinkSubject user={body} />
          </Section>
        </>
      )}
    </>
  )
}
