import { Button } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import { itemsOf, moreOf } from '../../client/index.ts'
import { CalmAnnouncement } from '../../components/calm-announcement.tsx'
import {
  type Column,
  CopyAs,
  DataList,
  Duration,
  ForeignText,
  Instant,
  lazyPart,
  PageHeader,
  RowLink,
  StatusBadge,
} from '../../components/index.ts'
import { EVERY_TEAM, teamQuery } from '../../shell/index.ts'
import { ChosenBar } from './list/chosen-bar.tsx'
import { FilterForm } from './list/filter-form.tsx'
import { RowReason, useQueueReasons } from './list/queue-reason.tsx'
import { ResultStrip } from './list/result-strip.tsx'
import { useLiveRuns } from './list/use-live-runs.ts'
import type { RunRow } from './run.ts'
import { copyOf, type RunFilters } from './run-filters.ts'
import styles from './runs-page.module.css'

// Only an empty list has it.
const NoRuns = lazyPart(async () => (await import('./list/no-runs.tsx')).NoRuns, { waiting: <div aria-busy /> })

const page = getRouteApi('/shell/t/$team/runs')

/** The runs of a team, newest first. */
export function RunsPage(): ReactNode {
  const { team } = page.useParams()
  const filters = page.useSearch()
  const navigate = page.useNavigate()
  return (
    <>
      <PageHeader
        title="Runs"
        sentence={team === EVERY_TEAM ? undefined : `Of ${team} and the teams below it.`}
        actions={<CopyAs {...copyOf(teamQuery(team).teamId, filters)} />}
      />
      <FilterForm
        key={JSON.stringify(filters)}
        filters={filters}
        onChange={(search) => void navigate({ search, resetScroll: false })}
      />
      <RunList key={`${team} ${JSON.stringify(filters)}`} team={team} filters={filters} />
    </>
  )
}

function RunList({ team, filters }: { readonly team: string; readonly filters: RunFilters }): ReactNode {
  const list = useRef<HTMLDivElement>(null)
  const { runs, look, showFresh } = useLiveRuns(team, filters, list)
  useQueueReasons()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const items = runs.data && itemsOf(runs.data)
  const fresh = `${look.fresh.length}${look.hasGap ? '+' : ''} new`
  const pipelineId = filters.pipeline === undefined ? undefined : items?.[0]?.pipeline_id
  return (
    <div ref={list}>
      {pipelineId !== undefined && (
        <div className={styles['strip']}>
          <ResultStrip pipelineId={pipelineId} team={team} />
        </div>
      )}
      <div className={styles['fresh']}>
        {look.fresh.length > 0 && (
          <Button variant="light" onClick={showFresh}>
            {fresh}
          </Button>
        )}
      </div>
      <CalmAnnouncement>{look.fresh.length > 0 ? fresh : ''}</CalmAnnouncement>
      <DataList
        label="Runs"
        columns={COLUMNS}
        items={items}
        keyOf={({ run_id }) => run_id}
        {...moreOf(runs)}
        selection={{ chosen, onChange: setChosen, nameOf: ({ pipeline, queued_at }) => `${pipeline} of ${queued_at}` }}
        empty={<NoRuns team={team} isFiltered={Object.keys(filters).length > 0} />}
      />
      <ChosenBar runs={items?.filter(({ run_id: id }) => chosen.has(id)) ?? []} onClear={() => setChosen(new Set())} />
    </div>
  )
}

const COLUMNS: readonly Column<RunRow>[] = [
  { key: 'status', header: 'Status', isPlain: true, cell: ({ status }) => <StatusBadge status={status} /> },
  {
    key: 'pipeline',
    header: 'Pipeline',
    isPlain: true,
    cell: ({ run_id, pipeline }) => (
      <RowLink to="/runs/$id" params={{ id: run_id }}>
        {pipeline}
      </RowLink>
    ),
  },
  { key: 'reason', header: 'Why', isPlain: true, cell: (run) => <RowReason run={run} /> },
  {
    key: 'branch',
    header: 'Branch',
    cell: ({ branch, tag, pull_request: number, head_ref: head }) => (
      <ForeignText>{number === null ? (branch ?? tag) : `#${number} ${head ?? ''}`}</ForeignText>
    ),
  },
  { key: 'commit', header: 'Commit', cell: ({ commit_sha }) => commit_sha && <code>{commit_sha.slice(0, 8)}</code> },
  {
    key: 'initiator',
    header: 'By',
    isShort: true,
    cell: ({ initiator }) => <ForeignText>{initiator.name}</ForeignText>,
  },
  { key: 'queued', header: 'Queued', cell: ({ queued_at }) => <Instant at={queued_at} /> },
  {
    key: 'duration',
    header: 'Took',
    isNumber: true,
    cell: ({ started_at, finished_at }) => <Duration from={started_at} to={finished_at} />,
  },
]
