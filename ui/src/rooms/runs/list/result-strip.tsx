import { runRoutes } from '@signalbox/contracts/runs/routes'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { read, useLive } from '../../../client/index.ts'
import { PageLink, StatusBadge } from '../../../components/index.ts'
import { teamTopic } from '../../../shell/index.ts'
import styles from './result-strip.module.css'

/** The last results of a pipeline, oldest first, each a link to its run. */
export function ResultStrip({ pipelineId, team }: { readonly pipelineId: string; readonly team: string }): ReactNode {
  const results = useQuery(read(runRoutes.listPipelineResults, { query: { pipeline: [pipelineId] } }))
  useLive([teamTopic('runs', team)], [runRoutes.listPipelineResults])
  const runs = results.data?.[0]?.runs.toReversed() ?? []
  if (runs.length === 0) return null
  return (
    <ol className={styles['strip']} aria-label="Last results, oldest first">
      {runs.map(({ run_id: id, status }) => (
        <li key={id}>
          <PageLink to="/runs/$id" params={{ id }}>
            <StatusBadge status={status} isIconOnly />
          </PageLink>
        </li>
      ))}
    </ol>
  )
}
