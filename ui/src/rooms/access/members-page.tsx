import { Text } from '@mantine/core'
import { accessExplanationRoutes, grantRoutes } from '@signalbox/contracts/access/routes'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { itemsOf, moreOf, useWrite } from '../../client/index.ts'
import {
  AllowedButton,
  type Column,
  CopyAs,
  DataList,
  EmptyState,
  ForeignText,
  FormDialog,
  Instant,
  PageHeader,
} from '../../components/index.ts'
import { listCopy } from '../../components/list-copy.ts'
import { EVERY_TEAM, teamOrAny } from '../../shell/index.ts'
import type { Grant } from './access.ts'
import { ExplainAccess } from './explain-access.tsx'
import { GrantForm } from './grant-form.tsx'

const page = getRouteApi('/shell/t/$team/members')
const CHANGES = [grantRoutes.listGrants, accessExplanationRoutes.explainAccess]

/** Who has which role here, and where each role comes from. */
export function MembersPage(): ReactNode {
  const { team } = page.useParams()
  const question = page.useSearch()
  const navigate = page.useNavigate()
  const place = team === EVERY_TEAM ? '/' : team
  const [isGiving, setGiving] = useState(false)
  const grants = useInfiniteQuery(page.useLoaderData())
  const give = (
    <AllowedButton permission="grant.write" at={teamOrAny(team)} onClick={() => setGiving(true)}>
      Give a role
    </AllowedButton>
  )
  return (
    <>
      <PageHeader
        title="Members"
        sentence={
          place === '/'
            ? 'Every role that you may see, at every team.'
            : `Roles given at ${place}. Roles of the teams above it hold here, too: ask below.`
        }
        actions={
          <>
            {give}
            <CopyAs {...listCopy('/v1/grants', ['grant', 'list'], [['team_path', '--team', teamOrAny(team)]])} />
          </>
        }
      />
      <DataList
        label="Roles"
        columns={COLUMNS}
        items={grants.data && itemsOf(grants.data)}
        keyOf={({ id }) => id}
        {...moreOf(grants)}
        empty={
          <EmptyState title="No role is given here" action={give}>
            Those who have a role at a team above have it here as well.
          </EmptyState>
        }
      />
      <ExplainAccess
        key={place}
        place={place}
        question={question}
        onAsk={(asked) => void navigate({ search: asked })}
      />
      {isGiving && <GrantForm place={place} onClose={() => setGiving(false)} />}
    </>
  )
}

const COLUMNS: readonly Column<Grant>[] = [
  {
    key: 'subject',
    header: 'Who',
    isPlain: true,
    cell: ({ subject_name }) => <ForeignText>{subject_name}</ForeignText>,
  },
  { key: 'kind', header: 'Kind', cell: ({ subject }) => subject.slice(0, subject.indexOf(':')).replace('_', ' ') },
  { key: 'role', header: 'Role', cell: ({ role }) => role },
  { key: 'place', header: 'At', cell: ({ team_path }) => (team_path === '/' ? 'platform' : team_path) },
  { key: 'since', header: 'Since', cell: ({ created_at }) => <Instant at={created_at} /> },
  { key: 'actions', header: 'Actions', isPlain: true, cell: (grant) => <TakeAway grant={grant} /> },
]

function TakeAway({ grant }: { readonly grant: Grant }): ReactNode {
  const [isAsking, setAsking] = useState(false)
  const remove = useWrite(grantRoutes.deleteGrant, { changes: CHANGES, onDone: () => setAsking(false) })
  return (
    <>
      <AllowedButton
        permission="grant.write"
        at={grant.team_path}
        variant="subtle"
        color="danger"
        onClick={() => setAsking(true)}
      >
        Take away
      </AllowedButton>
      <FormDialog
        title={`Take the role ${grant.role} from ${grant.subject_name}?`}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onSubmit={() => remove.mutate({ params: { id: grant.id } })}
        action="Take away"
        isDangerous
        isSending={remove.isPending}
        error={remove.error}
      >
        <Text>It counts at once: open pages and streams end within seconds where they need it.</Text>
      </FormDialog>
    </>
  )
}
