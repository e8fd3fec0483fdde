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
  PageHeader,
  RowLink,
  StatusBadge,
} from '../../components/index.ts'
import { listCopy } from '../../components/list-copy.ts'
import { placeOf, teamOrAny } from '../../shell/index.ts'
import type { ExternalTrigger } from './external-trigger.ts'
import { LastFire } from './last-fire.tsx'

const page = getRouteApi('/shell/t/$team/external-triggers')

/** The addresses by which other systems start a pipeline. */
export function ExternalTriggersPage(): ReactNode {
  const { team } = page.useParams()
  const navigate = page.useNavigate()
  const triggers = useInfiniteQuery(page.useLoaderData())
  const create = (
    <AllowedButton
      permission="external_trigger.write"
      at={placeOf(team)}
      onClick={() => void navigate({ to: '/t/$team/external-triggers/new', params: { team } })}
    >
      Create an external trigger
    </AllowedButton>
  )
  return (
    <>
      <PageHeader
        title="External triggers"
        sentence="Another system starts one pipeline by a request with a secret."
        actions={
          <>
            {create}
            <CopyAs
              {...listCopy(
                '/v1/external-triggers',
                ['external-trigger', 'list'],
                [['team_path', '--team', teamOrAny(team)]],
              )}
            />
          </>
        }
      />
      <DataList
        label="External triggers"
        columns={COLUMNS}
        items={triggers.data && itemsOf(triggers.data)}
        keyOf={({ id }) => id}
        {...moreOf(triggers)}
        empty={
          <EmptyState
            title="No external trigger yet"
            action={create}
            command="signalbox external-trigger create acme/web/deploy --pipeline acme/web/deploy"
          >
            A build elsewhere, an alert or a cron job starts a pipeline with the secret of one.
          </EmptyState>
        }
      />
    </>
  )
}

const COLUMNS: readonly Column<ExternalTrigger>[] = [
  {
    key: 'state',
    header: 'State',
    isPlain: true,
    cell: ({ enabled }) => <StatusBadge status={enabled ? 'enabled' : 'disabled'} />,
  },
  {
    key: 'name',
    header: 'Name',
    isPlain: true,
    cell: ({ id, identifier }) => (
      <RowLink to="/external-triggers/$id" params={{ id }}>
        {identifier}
      </RowLink>
    ),
  },
  { key: 'pipeline', header: 'Starts', cell: ({ pipeline }) => pipeline },
  { key: 'scope', header: 'Scope', cell: ({ scope }) => scope },
  { key: 'owner', header: 'On behalf of', cell: ({ owner }) => <ForeignText>{owner.name}</ForeignText> },
  { key: 'fired', header: 'Last fire', cell: (trigger) => <LastFire trigger={trigger} /> },
]
