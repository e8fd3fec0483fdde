import { Button, Drawer, Skeleton, Text, TextInput } from '@mantine/core'
import { type auditRoutes } from '@signalbox/contracts/audit/routes'
import type { ItemOf } from '@signalbox/contracts/http/requests'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { itemsOf, moreOf } from '../../client/index.ts'
import {
  type Column,
  CopyAs,
  DataList,
  EmptyState,
  Facts,
  ForeignText,
  FormRow,
  Instant,
  PageHeader,
  RowLink,
} from '../../components/index.ts'
import { listCopy } from '../../components/list-copy.ts'
import { type AuditFilters, readAuditFilters } from './audit-filters.ts'
import { findChanges } from './changes.ts'
import { useRecord } from './use-record.ts'

const page = getRouteApi('/shell/audit')

type AuditRecord = ItemOf<typeof auditRoutes.listAuditRecords>

/** Who did what, with the document before and after. */
export function AuditPage(): ReactNode {
  const { record: shown, ...filters } = page.useSearch()
  const navigate = page.useNavigate()
  const records = useInfiniteQuery(page.useLoaderData())
  const items = records.data && itemsOf(records.data)
  const { record, isSought } = useRecord(shown, records)
  const isFiltered = Object.keys(filters).length > 0
  return (
    <>
      <PageHeader
        title="Audit"
        sentence="Every write, by whom, from where, and what it changed. Records are never changed."
        actions={
          <CopyAs
            {...listCopy(
              '/v1/audit',
              ['audit', 'list'],
              [
                ['resource', '--resource', filters.resource],
                // The command line wants to know of what kind the actor is.
                ['subject', undefined, filters.subject],
                ['action', '--action', filters.action],
                ['token', '--token', filters.token],
                ['tool', '--tool', filters.tool],
                ['client', '--client', filters.client],
                ['since', '--since', filters.since],
              ],
            )}
          />
        }
      />
      <Filters key={JSON.stringify(filters)} filters={filters} onChange={(search) => void navigate({ search })} />
      <DataList
        label="Audit records"
        columns={COLUMNS}
        items={items}
        keyOf={({ id }) => id}
        {...moreOf(records)}
        empty={
          <EmptyState title={isFiltered ? 'No record fits' : 'No record yet'}>
            {isFiltered ? 'Take a filter away, or begin earlier.' : 'The first write of anybody makes one.'}
          </EmptyState>
        }
      />
      <Drawer
        opened={shown !== undefined}
        onClose={() => void navigate({ search: filters })}
        position="right"
        size="xl"
        title="Audit record"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <RecordDetails record={record} isSought={isSought} />
      </Drawer>
    </>
  )
}

interface FiltersProps {
  readonly filters: AuditFilters
  readonly onChange: (filters: AuditFilters) => void
}

function Filters({ filters, onChange }: FiltersProps): ReactNode {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onChange(readAuditFilters(Object.fromEntries(new FormData(event.currentTarget))))
      }}
    >
      <FormRow>
        <TextInput
          name="resource"
          label="Resource"
          placeholder="secret, or secret:<id>"
          defaultValue={filters.resource ?? ''}
        />
        <TextInput name="subject" label="By (id of a person or account)" defaultValue={filters.subject ?? ''} />
        <TextInput
          name="action"
          label="Action"
          placeholder="token.created, or token.*"
          defaultValue={filters.action ?? ''}
        />
        <TextInput name="token" label="Token (its id)" defaultValue={filters.token ?? ''} />
        <TextInput
          name="tool"
          label="Tool of agents"
          placeholder="explain_run"
          maxLength={100}
          defaultValue={filters.tool ?? ''}
        />
        <TextInput
          name="client"
          label="Client of agents"
          placeholder="claude-code"
          maxLength={200}
          defaultValue={filters.client ?? ''}
        />
        <TextInput name="since" label="Since" placeholder="2026-11-23T00:00:00Z" defaultValue={filters.since ?? ''} />
        <Button type="submit" size="sm" variant="default">
          Filter
        </Button>
        {Object.keys(filters).length > 0 && (
          <Button size="sm" variant="subtle" onClick={() => onChange({})}>
            Clear
          </Button>
        )}
      </FormRow>
    </form>
  )
}

const COLUMNS: readonly Column<AuditRecord>[] = [
  { key: 'at', header: 'At', isPlain: true, cell: ({ occurred_at }) => <Instant at={occurred_at} /> },
  {
    key: 'action',
    header: 'Action',
    isPlain: true,
    cell: ({ id, action }) => (
      <RowLink from="/audit" to="/audit" search={(search) => ({ ...search, record: id })}>
        {action}
      </RowLink>
    ),
  },
  { key: 'actor', header: 'By', cell: ({ actor }) => <ForeignText>{actor.name}</ForeignText> },
  { key: 'resource', header: 'Resource', cell: ({ resource }) => `${resource.kind} ${resource.id}` },
  { key: 'team', header: 'Team', cell: ({ team_path }) => (team_path === '/' ? 'platform' : team_path) },
  { key: 'address', header: 'From', cell: ({ address }) => address },
]

interface RecordDetailsProps {
  readonly record: AuditRecord | undefined
  readonly isSought: boolean
}

function RecordDetails({ record, isSought }: RecordDetailsProps): ReactNode {
  if (isSought) {
    return (
      <div aria-busy>
        <Text c="dimmed">The record is being looked for in the older pages.</Text>
        <Skeleton height="12rem" mt="md" />
      </div>
    )
  }
  if (!record) {
    return (
      <EmptyState title="The record was not found">
        It is none of the newest that were looked at, or does not fit the filters, or is of a team that you may not see.
        Take the filters away, or filter by its resource or its actor: then fewer lie before it.
      </EmptyState>
    )
  }
  const changes = findChanges(record.before, record.after)
  return (
    <>
      <Facts
        facts={[
          ['Action', record.action],
          ['At', <Instant key="at" at={record.occurred_at} form="full" />],
          ['By', <ForeignText key="by">{`${record.actor.kind} ${record.actor.name}`}</ForeignText>],
          ['Resource', `${record.resource.kind}:${record.resource.id}`],
          ['Team', record.team_path],
          ['From', record.address],
          ['Request', record.request_id],
          ['Token', record.token_id ?? 'none'],
        ]}
      />
      <DataList
        label="Changes"
        items={changes}
        keyOf={({ field }) => field}
        columns={[
          { key: 'field', header: 'Field', isPlain: true, cell: ({ field }) => <ForeignText>{field}</ForeignText> },
          { key: 'before', header: 'Before', cell: ({ before }) => <ForeignText>{before}</ForeignText> },
          { key: 'after', header: 'After', cell: ({ after }) => <ForeignText>{after}</ForeignText> },
        ]}
        empty={<EmptyState title="No field changed">The record tells of the act alone.</EmptyState>}
      />
    </>
  )
}
