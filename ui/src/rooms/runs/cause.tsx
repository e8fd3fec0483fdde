import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { useMayDo } from '../../client/session.ts'
import { ForeignText, Instant, PageLink } from '../../components/index.ts'
import type { Run } from './run.ts'

/** Why the run exists, with the way back: the delivery's condition, the fire, the person or the other run. */
export function Cause({ run }: { readonly run: Run }): ReactNode {
  if (run.parent) {
    const { run_id, step, task } = run.parent
    return (
      <>
        for{' '}
        <RunLink id={run_id} task={`${step}/${task}`}>
          task {step}/{task}
        </RunLink>{' '}
        of another run
      </>
    )
  }
  if (run.rerun) return <RerunCause run={run} rerun={run.rerun} />
  if (run.schedule_id !== null) {
    return (
      <>
        by{' '}
        <PageLink
          to="/schedules/$id"
          params={{ id: run.schedule_id }}
          search={run.scheduled_at === null ? {} : { tab: 'history', at: run.scheduled_at }}
        >
          a schedule
        </PageLink>
        {run.scheduled_at !== null && (
          <>
            {' '}
            for <Instant at={run.scheduled_at} form="full" />
          </>
        )}
      </>
    )
  }
  if (run.external_trigger_id !== null) {
    return (
      <>
        by <Anchor href={`#/external-triggers/${run.external_trigger_id}`}>an external trigger</Anchor>
      </>
    )
  }
  if (run.event_id !== null) return <EventCause run={run} />
  return (
    <>
      asked for by <Person of={run.initiator} />
    </>
  )
}

/** Who did it, with the page of that person for those who may see it. */
function Person({ of: { id, kind, name } }: { readonly of: Run['initiator'] }): ReactNode {
  const maySee = useMayDo()('user.read', '/')
  if (kind !== 'user' || !maySee) return <ForeignText>{name}</ForeignText>
  return (
    <PageLink to="/system/users/$id" params={{ id }}>
      <ForeignText>{name}</ForeignText>
    </PageLink>
  )
}

const PARTS = { whole: 'all of it', failed: 'what failed', step: 'from step' } as const

function RerunCause({ run, rerun }: { readonly run: Run; readonly rerun: NonNullable<Run['rerun']> }): ReactNode {
  return (
    <>
      a rerun ({PARTS[rerun.mode]}
      {rerun.step === null ? '' : ` ${rerun.step}`}) of <RunLink id={rerun.of}>another run</RunLink> by{' '}
      <Person of={run.initiator} />
    </>
  )
}

/** The event, at the rule that started the run. The page of the event leads on to that of its delivery. */
function EventCause({ run }: { readonly run: Run }): ReactNode {
  const by = run.manifest_trigger === null ? 'a trigger' : `the manifest's entry ${run.manifest_trigger}`
  const what = run.tag !== null ? 'a tag' : run.pull_request === null ? 'a push' : `pull request ${run.pull_request}`
  return (
    <>
      by <ForeignText>{by}</ForeignText> on{' '}
      <PageLink to="/events/$id" params={{ id: run.event_id ?? '' }} search={{ run: run.run_id }}>
        {run.delivery_record_id === null ? 'an event' : what}
      </PageLink>
      {run.replay_of !== null && ', replayed'}
    </>
  )
}

function RunLink({
  id,
  task,
  children,
}: {
  readonly id: string
  readonly task?: string
  readonly children: ReactNode
}): ReactNode {
  return (
    <PageLink to="/runs/$id" params={{ id }} search={task === undefined ? {} : { task }}>
      {children}
    </PageLink>
  )
}
