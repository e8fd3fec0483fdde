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
        <Section title="Runs" isCard>
          <Tally label="Now" counts={STANDING.map((status) => [status, runs[status]])} team={team} />
          <Tally label="Last 24 hours" counts={ENDED.map((status) => [status, runs.finished[status]])} team={team} />
        </Section>
      )}
      {(sources || runners || schedules) && (
        <Section title="Health" isCard>
          <dl className={styles['health']}>
            {sources && (
              <Health
                name={<PageLink {...pageOf(team, 'sources')}>Webhook sources</PageLink>}
                good={[sources.healthy, 'healthy']}
                bad={sicknessOf(sources)}
              />
            )}
            {runners && (
              <Health
                name={<PageLink {...pageOf(team, 'runners')}>Runners</PageLink>}
                good={[runners.online, 'online']}
                bad={[
                  ['offline', runners.offline],
                  ['draining', runners.draining],
                  ['disabled', runners.disabled],
                ]}
                none="none of its own"
              />
            )}
            {schedules && (
              <Health
                name={<PageLink {...pageOf(team, 'schedules')}>Schedules</PageLink>}
                good={[schedules.enabled - schedules.failing, 'in order']}
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

/** A page of the team. */
function pageOf(team: string, page: 'sources' | 'runners' | 'schedules'): { to: string; params: { team: string } } {
  return { to: `/t/$team/${page}`, params: { team } }
}

type Number = readonly [status: string, count: number]

function sicknessOf({ failing, silent, unused, disabled }: NonNullable<Counts['sources']>): readonly Number[] {
  return [
    ['failing', failing],
    ['silent', silent],
    ['without a delivery yet', unused],
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

interface HealthProps {
  readonly name: ReactNode
  readonly good: readonly [count: number, word: string]
  readonly bad: readonly Number[]
  /** Where there is none; runners of teams above, and of the platform, may serve the team all the same. */
  readonly none?: string
}

function Health(props: HealthProps): ReactNode {
  const [good, word] = props.good
  const some = props.bad.filter(([, count]) => count > 0)
  return (
    <>
      <dt>{props.name}</dt>
      <dd>
        {some.length === 0 && good === 0 ? (props.none ?? 'none') : good > 0 && `${good} ${word}`}
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
