import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { AllowedButton, CopyAs, PageHeader } from '../../components/index.ts'
import { listCopy } from '../../components/list-copy.ts'
import { EVERY_TEAM, placeOf, teamOrAny } from '../../shell/index.ts'
import { AllGrants } from './all-grants.tsx'
import { ExplainAccess } from './explain-access.tsx'
import { GrantForm } from './grant-form.tsx'
import type { MemberFilters } from './members-address.ts'
import { TeamMembers } from './team-members.tsx'

const page = getRouteApi('/shell/t/$team/members')

/** Who has which role here, and where each role comes from. */
export function MembersPage(): ReactNode {
  const { team } = page.useParams()
  const { subject, permission, ...filters } = page.useSearch()
  const question = {
    ...(subject === undefined ? {} : { subject }),
    ...(permission === undefined ? {} : { permission }),
  }
  const navigate = page.useNavigate()
  const place = placeOf(team)
  const [isGiving, setGiving] = useState(false)
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
          team === EVERY_TEAM
            ? 'Every role that you may see, at every team.'
            : `Everybody who has a right at ${team}, and where each right comes from.`
        }
        actions={
          <>
            {give}
            <CopyAs {...copyOf(team, filters)} />
          </>
        }
      />
      {team === EVERY_TEAM ? (
        <AllGrants give={give} />
      ) : (
        <TeamMembers
          team={team}
          filters={filters}
          onFilter={(chosen) => void navigate({ search: { ...question, ...chosen } })}
          give={give}
        />
      )}
      <ExplainAccess
        key={place}
        place={place}
        question={question}
        onAsk={(asked) => void navigate({ search: { ...filters, ...asked } })}
      />
      {isGiving && <GrantForm place={place} onClose={() => setGiving(false)} />}
    </>
  )
}

function copyOf(team: string, { kind, role, origin, name }: MemberFilters) {
  if (team === EVERY_TEAM) return listCopy('/v1/grants', ['grant', 'list'], [])
  return listCopy(
    `/v1/teams/${encodeURIComponent(team)}/members`,
    ['team', 'members', team],
    [
      ['kind', '--kind', kind],
      ['role', '--role', role],
      ['origin', '--origin', origin],
      ['name', '--name', name],
    ],
  )
}
