import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { itemsOf, moreOf } from '../../client/index.ts'
import {
  AllowedButton,
  type Column,
  CopyAs,
  DataList,
  EmptyState,
  ForeignText,
  Instant,
  PageHeader,
  RowLink,
  StatusBadge,
  Why,
} from '../../components/index.ts'
import { listCopy } from '../../components/list-copy.ts'
import { teamOrAny } from '../../shell/index.ts'
import { SOURCE_LOST, type Trigger } from './trigger.ts'

const page = getRouteApi('/shell/t/$team/triggers')

/** What starts what: the rules that events are held against. */
export function TriggersPage(): ReactNode {
  const { team } = page.useParams()
  const navigate = page.useNavigate()
  const triggers = useInfiniteQuery(page.useLoaderData())
  const create = (
    <AllowedButton
      permission="trigger.write"
      at={teamOrAny(team)}
      onClick={() => void navigate({ to: '/t/$team/triggers/new', params: { team } })}
    >
      Create a trigger
    </AllowedButton>
  )
  return (
    <>
      <PageHeader
        title="Triggers"
        sentence="A trigger says which events of which repositories start which pipeline."
        actions={
          <>
            {create}
            <CopyAs {...listCopy('/v1/triggers', ['trigger', 'list'], [['team_path', '--team', teamOrAny(team)]])} />
          </>
        }
      />
      <DataList
        label="Triggers"
        columns={COLUMNS}
        items={triggers.data && itemsOf(triggers.data)}
        keyOf={({ id }) => id}
        {...moreOf(triggers)}
        empty={
          <EmptyState title="No trigger yet" action={create}>
            Without one a push starts only what the manifest of its repository says.
          </EmptyState>
        }
      />
    </>
  )
}

const COLUMNS: readonly Column<Trigger>[] = [
  {
    key: 'state',
    header: 'State',
    isPlain: true,
    cell: ({ name, enabled, source_lost_at }) => (
      <>
        <StatusBadge status={source_lost_at !== null ? 'broken' : enabled ? 'enabled' : 'disabled'} />
        <Why of={name}>{source_lost_at === null ? null : SOURCE_LOST}</Why>
      </>
    ),
  },
  {
    key: 'name',
    header: 'Name',
    isPlain: true,
    cell: ({ id, team_path, name }) => (
      <RowLink to="/triggers/$id" params={{ id }}>
        {`${team_path}: ${name}`}
      </RowLink>
    ),
  },
  {
    key: 'repositories',
    header: 'Repositories',
    cell: ({ repositories }) => <ForeignText>{repositories.join(', ')}</ForeignText>,
  },
  { key: 'events', header: 'Events', cell: ({ events }) => events.join(', ').replaceAll('_', ' ') },
  { key: 'pipeline', header: 'Starts', cell: ({ pipeline }) => pipeline },
  { key: 'updated', header: 'Changed', cell: ({ updated_at }) => <Instant at={updated_at} /> },
]
