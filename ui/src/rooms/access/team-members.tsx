import { Button, Select, Text, TextInput } from '@mantine/core'
import { memberRoutes } from '@signalbox/contracts/members/routes'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { itemsOf, moreOf, readPages } from '../../client/index.ts'
import {
  type Column,
  DataList,
  EmptyState,
  ForeignText,
  FormRow,
  Instant,
  PageLink,
  StatusBadge,
} from '../../components/index.ts'
import { EVERY_TEAM } from '../../shell/index.ts'
import { type Member, ROLES } from './access.ts'
import { type MemberFilters, memberQuery } from './members-address.ts'
import { hiddenWords, kindOf, originOf } from './right-words.ts'
import { TakeAway } from './take-away.tsx'

interface TeamMembersProps {
  readonly team: string
  readonly filters: MemberFilters
  readonly onFilter: (filters: MemberFilters) => void
  readonly give: ReactNode
}

/** Everybody who has a right at a team, with the origin of each right. */
export function TeamMembers({ team, filters, onFilter, give }: TeamMembersProps): ReactNode {
  const request = { params: { id: team }, query: memberQuery(filters) }
  const members = useInfiniteQuery(readPages(memberRoutes.listTeamMembers, request))
  const columns = useMemo(() => columnsOf(team), [team])
  const isNarrowed = Object.keys(filters).length > 0
  return (
    <>
      <Filters filters={filters} onFilter={onFilter} />
      <DataList
        label="Members"
        columns={columns}
        items={members.data && itemsOf(members.data)}
        keyOf={({ subject }) => subject ?? 'others'}
        {...moreOf(members)}
        empty={
          isNarrowed ? (
            <EmptyState
              title="No member fits"
              action={
                <Button variant="default" onClick={() => onFilter({})}>
                  Take the filters away
                </Button>
              }
            >
              The filters look at rights that you may see.
            </EmptyState>
          ) : (
            <EmptyState title="Nobody has a right here" action={give}>
              A role that is given here holds here and at the teams below.
            </EmptyState>
          )
        }
      />
    </>
  )
}

const KINDS = [
  { value: 'user', label: 'Users' },
  { value: 'group', label: 'Groups' },
  { value: 'service_account', label: 'Service accounts' },
]

const ORIGINS = [
  { value: 'own', label: 'Given here' },
  { value: 'inherited', label: 'Inherited from a team above' },
  { value: 'group', label: 'Through a group' },
]

function Filters({ filters, onFilter }: Pick<TeamMembersProps, 'filters' | 'onFilter'>): ReactNode {
  const change = (name: keyof MemberFilters, value: string | null): void => {
    const { [name]: _before, ...others } = filters
    onFilter(value === null || value === '' ? others : { ...others, [name]: value })
  }
  return (
    <FormRow>
      <Select
        label="Kind"
        clearable
        data={KINDS}
        value={filters.kind ?? null}
        onChange={(kind) => change('kind', kind)}
      />
      <Select
        label="Role"
        clearable
        data={[...ROLES]}
        value={filters.role ?? null}
        onChange={(role) => change('role', role)}
      />
      <Select
        label="Origin"
        clearable
        data={ORIGINS}
        value={filters.origin ?? null}
        onChange={(origin) => change('origin', origin)}
      />
      <TextInput
        label="Name"
        key={filters.name ?? ''}
        defaultValue={filters.name ?? ''}
        maxLength={200}
        onBlur={({ currentTarget }) => change('name', currentTarget.value.trim())}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter') change('name', currentTarget.value.trim())
        }}
      />
    </FormRow>
  )
}

function columnsOf(team: string): readonly Column<Member>[] {
  return [
    {
      key: 'subject',
      header: 'Who',
      isPlain: true,
      cell: ({ subject_name, disabled }) => (
        <>
          {subject_name === null ? 'Others' : <ForeignText>{subject_name}</ForeignText>}{' '}
          {disabled && <StatusBadge status="disabled" />}
        </>
      ),
    },
    { key: 'kind', header: 'Kind', cell: ({ subject }) => subject !== null && kindOf(subject) },
    { key: 'role', header: 'Role', cell: ({ rights }) => rights[0]?.role },
    { key: 'origin', header: 'Rights and their origin', cell: (member) => <Rights member={member} team={team} /> },
    { key: 'actions', header: 'Actions', isPlain: true, cell: (member) => <TakeAwayOwn member={member} /> },
  ]
}

function Rights({ member, team }: { readonly member: Member; readonly team: string }): ReactNode {
  return (
    <>
      {member.rights.map((right) => (
        <div key={`${right.grant_id} ${right.group?.id ?? ''}`}>
          {right.role}: <Origin right={right} team={team} />, <Instant at={right.created_at} />
        </div>
      ))}
      {member.hidden_rights && (
        <Text component="div" inherit c="dimmed">
          {hiddenWords(member)}
        </Text>
      )}
    </>
  )
}

/** Leads to where the role was given, which is where it can be taken away. */
function Origin({ right, team }: { readonly right: Member['rights'][number]; readonly team: string }): ReactNode {
  const words = <ForeignText>{originOf(right, team)}</ForeignText>
  if (right.team_path === team) return words
  return (
    <PageLink to="/t/$team/members" params={{ team: right.team_path === '/' ? EVERY_TEAM : right.team_path }}>
      {words}
    </PageLink>
  )
}

function TakeAwayOwn({ member: { subject_name, rights } }: { readonly member: Member }): ReactNode {
  const own = rights.filter(({ origin }) => origin === 'own')
  return own.map(({ grant_id: id, role, team_path }) => (
    <TakeAway
      key={id}
      grant={{ id, role, team_path, subject_name: subject_name ?? '' }}
      {...(own.length > 1 ? { label: `Take away ${role}` } : {})}
    />
  ))
}
