import { overviewRoutes } from '@signalbox/contracts/overview/routes'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { read, useLive } from '../../client/index.ts'
import { useChangePreferences, usePreferencesAsked } from '../../client/preferences.ts'
import { CopyAs, Instant, PageHeader, ProblemNotice } from '../../components/index.ts'
import { teamTopic } from '../../shell/index.ts'
import { Broken } from './broken.tsx'
import { FirstSteps } from './first-steps.tsx'
import { withSeen } from './last-seen.ts'
import { LatestRuns } from './latest-runs.tsx'
import { NextFires } from './next-fires.tsx'
import { Numbers } from './numbers.tsx'
import styles from './overview.module.css'
import { Sick } from './sick.tsx'
import { Waiting } from './waiting.tsx'

/** Somebody who stays so long has seen what is on the page. */
const SEEN_AFTER_MS = 5000

/** The home of one team: what waits, what runs, what broke since one last looked, what fires next, what is sick. */
export function TeamHome({ team }: { readonly team: string }): ReactNode {
  const { since, isKnown } = useLastLook(team)
  const query = since === undefined ? {} : { since }
  const counts = useQuery({ ...read(overviewRoutes.countTeam, { params: { id: team }, query }), enabled: isKnown })
  useLive([teamTopic('runs', team), teamTopic('schedules', team), 'approvals', 'runners'], [overviewRoutes.countTeam])
  const { data } = counts
  return (
    <>
      <PageHeader
        title={team}
        sentence="This team and the teams below it."
        facts={
          since === undefined
            ? []
            : [
                <>
                  You last looked <Instant at={since} />
                </>,
              ]
        }
        actions={<CopyAs path={`/v1/teams/${encodeURIComponent(team)}/counts`} command={['team', 'counts', team]} />}
      />
      <ProblemNotice error={counts.error} onRetry={() => void counts.refetch()} />
      <FirstSteps team={team} counts={data} />
      <Waiting team={team} counts={data?.approvals} />
      {(data || counts.isPending) && <Numbers team={team} counts={data} />}
      <div className={styles['columns']}>
        <Broken broken={data?.broken} />
        <Sick sources={data?.sources} runners={data?.runners} />
        <NextFires next={data?.schedules?.next} />
      </div>
      <LatestRuns team={team} />
    </>
  )
}

interface LastLook {
  /** When the person looked at this team before now; undefined: never, or nobody knows. */
  readonly since: string | undefined
  /** No answer about it is awaited any more. */
  readonly isKnown: boolean
}

function useLastLook(team: string): LastLook {
  const { preferences, isAsked } = usePreferencesAsked()
  const lastSeen = preferences?.last_seen
  const change = useChangePreferences()
  const [since, setSince] = useState<string>()
  const hasPreferences = lastSeen !== undefined
  const before = lastSeen?.[team]
  const [isTaken, setTaken] = useState(false)
  // As it was when the page was opened: what is saved below must not hide what is new.
  if (!isAsked && !isTaken) {
    setTaken(true)
    setSince(before)
  }
  useEffect(() => {
    if (!hasPreferences) return undefined
    const timer = setTimeout(() => {
      const seen = change((now) => ({ ...now, last_seen: withSeen(now.last_seen, team, new Date()) }))
      // What could not be noted is shown once more.
      seen.catch(() => undefined)
    }, SEEN_AFTER_MS)
    return () => clearTimeout(timer)
  }, [hasPreferences, team, change])
  return { since, isKnown: isTaken }
}
