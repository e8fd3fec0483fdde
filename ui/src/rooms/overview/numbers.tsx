import type { SuccessOf } from '@signalbox/contracts/http/routes'
import type { overviewRoutes } from '@signalbox/contracts/overview/routes'
import type { ReactNode } from 'react'
import { PageLink, Section, StatusBadge } from '../../components/index.ts'
import styles from './overview.module.css'

export type Counts = SuccessOf<typeof overviewRoutes.countTeam>

const STANDING = ['running', 'queued', 'paused'] as const
const ENDED = ['success', 'warning', 'failure', 'timed_out', 'canceled'] as const

/** The numbers of a team. What one may see nowhere there is left out. */
export function Numbers({ team, counts }: { readonly team: string; readonly counts: Counts | undefined }): ReactNode {
  if (!counts) return <div className={styles['placeholder']} aria-busy />
  const { runs, sources, runners, schedules } = counts
  return (
    <div className={styles['columns']}>
      {runs && (
        <Section title="Runs">
          <Tally label="Now" counts={STANDING.map((status) => [status, runs[status]])} team={team} />
          <Tally label="Last 24 hours" counts={ENDED.map((status) => [status, runs.finished[status]])} team={team} />
        </Section>
      )}
      {(sources || runners || schedules) && (
        <Section title="Health">
          <dl className={styles['health']}>
            {sources && <Health name="Webhook sources" good={sources.healthy} bad={sicknessOf(sources)} />}
            {runners && (
              <Health
                name="Runners"
                good={runners.online}
                bad={[
                  ['offline', runners.offline],
                  ['draining', runners.draining],
                  ['disabled', runners.disabled],
                ]}
              />
            )}
            {schedules && (
              <Health
                name="Schedules"
                good={schedules.enabled - schedules.failing}
                bad={[
                  ['failing', schedules.failing],
                  ['disabled', schedules.disabled],
                ]}
              />
            )}
          </dl>
        </Section>
      )}
    </div>
  )
}

type Number = readonly [status: string, count: number]

function sicknessOf({ failing, silent, unused, disabled }: NonNullable<Counts['sources']>): readonly Number[] {
  return [
    ['failing', failing],
    ['silent', silent],
    ['unused', unused],
    ['disabled', disabled],
  ]
}

function Tally(props: {
  readonly label: string
  readonly counts: readonly Number[]
  readonly team: string
}): ReactNode {
  const some = props.counts.filter(([, count]) => count > 0)
  return (
    <div className={styles['tally']}>
      <span className={styles['label']}>{props.label}</span>
      {some.length === 0 && <span>none</span>}
      {some.map(([status, count]) => (
        <PageLink key={status} to="/t/$team/runs" params={{ team: props.team }} search={{ status }}>
          {count} <StatusBadge status={status} />
        </PageLink>
      ))}
    </div>
  )
}

function Health(props: { readonly name: string; readonly good: number; readonly bad: readonly Number[] }): ReactNode {
  const some = props.bad.filter(([, count]) => count > 0)
  return (
    <>
      <dt>{props.name}</dt>
      <dd>
        {some.length === 0 && props.good === 0 ? 'none' : `${props.good} well`}
        {some.map(([state, count]) => (
          <span
            key={state}
            className={styles['sick']}
            data-tone={state === 'failing' || state === 'offline' ? 'bad' : undefined}
          >
            {count} {state}
          </span>
        ))}
      </dd>
    </>
  )
}
