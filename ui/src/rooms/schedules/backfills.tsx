import { Checkbox, NumberInput, Progress, TextInput } from '@mantine/core'
import { backfillRoutes } from '@signalbox/contracts/schedules/routes'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { itemsOf, moreOf, readPages, useWrite } from '../../client/index.ts'
import {
  AllowedButton,
  DataList,
  EmptyState,
  ForeignText,
  FormDialog,
  fieldError,
  Instant,
  ProblemNotice,
  StatusBadge,
} from '../../components/index.ts'
import type { Backfill, Schedule } from './schedule.ts'

const CHANGES = [backfillRoutes.listBackfills]

/** Past ranges that somebody asked for, with their progress. */
export function Backfills({ schedule }: { readonly schedule: Schedule }): ReactNode {
  const [isAsking, setAsking] = useState(false)
  const backfills = useInfiniteQuery({
    ...readPages(backfillRoutes.listBackfills, { params: { id: schedule.id } }),
    // Progress is no change of the schedule, so no topic tells of it.
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ body }) => body.some((each) => each.state === 'running')) ? 2000 : false,
  })
  const cancel = useWrite(backfillRoutes.cancelBackfill, { changes: CHANGES })
  const right = { permission: 'schedule.write', at: schedule.path } as const
  return (
    <>
      <AllowedButton {...right} mb="sm" onClick={() => setAsking(true)}>
        Backfill a past range
      </AllowedButton>
      <ProblemNotice error={cancel.error} />
      <DataList
        label="Backfills"
        items={backfills.data && itemsOf(backfills.data)}
        keyOf={({ id }) => id}
        columns={[
          {
            key: 'state',
            header: 'State',
            isPlain: true,
            cell: ({ state }) => <StatusBadge status={`backfill_${state}`} />,
          },
          { key: 'from', header: 'From', cell: ({ from }) => <Instant at={from} form="full" /> },
          { key: 'to', header: 'To', cell: ({ to }) => <Instant at={to} form="full" /> },
          { key: 'progress', header: 'Progress', cell: (backfill) => <BackfillProgress backfill={backfill} /> },
          { key: 'by', header: 'By', cell: ({ requested_by }) => <ForeignText>{requested_by.name}</ForeignText> },
          {
            key: 'actions',
            header: 'Actions',
            isPlain: true,
            cell: ({ id, state }) =>
              state === 'running' && (
                <AllowedButton
                  {...right}
                  variant="subtle"
                  color="danger"
                  loading={cancel.isPending && cancel.variables.params.backfill_id === id}
                  onClick={() => cancel.mutate({ params: { id: schedule.id, backfill_id: id } })}
                >
                  Cancel
                </AllowedButton>
              ),
          },
        ]}
        {...moreOf(backfills)}
        empty={<EmptyState title="No backfill yet">It starts the runs of a past range, some at a time.</EmptyState>}
      />
      {isAsking && <BackfillForm schedule={schedule} onClose={() => setAsking(false)} />}
    </>
  )
}

function BackfillProgress({ backfill }: { readonly backfill: Backfill }): ReactNode {
  const { total, pending, started, unfinished, failed, canceled } = backfill
  const done = total - pending - unfinished
  return (
    <>
      <Progress value={total === 0 ? 100 : (done / total) * 100} aria-label={`${done} of ${total} done`} />
      {done} of {total}: {started} started, {failed} started nothing, {canceled} canceled
    </>
  )
}

function BackfillForm({ schedule, onClose }: { readonly schedule: Schedule; readonly onClose: () => void }): ReactNode {
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const [isMissingOnly, setMissingOnly] = useState(true)
  const [concurrency, setConcurrency] = useState<number | string>(1)
  const create = useWrite(backfillRoutes.createBackfill, { changes: CHANGES, onDone: onClose })
  return (
    <FormDialog
      title={`Backfill ${schedule.identifier}`}
      isOpen
      onClose={onClose}
      onSubmit={() =>
        create.mutate({
          params: { id: schedule.id },
          body: { from, to, only_missing: isMissingOnly, concurrency: Number(concurrency) },
        })
      }
      action="Start it"
      isSending={create.isPending}
      error={create.error}
      marked={['from', 'to', 'concurrency']}
    >
      <TextInput
        label="From"
        required
        placeholder="2026-11-01T00:00:00Z"
        value={from}
        error={fieldError(create.error, 'from')}
        onChange={({ currentTarget }) => setFrom(currentTarget.value)}
      />
      <TextInput
        label="To"
        required
        placeholder="2026-11-08T00:00:00Z"
        value={to}
        error={fieldError(create.error, 'to')}
        onChange={({ currentTarget }) => setTo(currentTarget.value)}
      />
      <NumberInput
        label="Runs at a time"
        min={1}
        max={50}
        value={concurrency}
        error={fieldError(create.error, 'concurrency')}
        onChange={setConcurrency}
      />
      <Checkbox
        label="Leave out instants at which it started a run"
        checked={isMissingOnly}
        onChange={({ currentTarget }) => setMissingOnly(currentTarget.checked)}
      />
    </FormDialog>
  )
}
