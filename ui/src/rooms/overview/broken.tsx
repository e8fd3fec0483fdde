import type { ReactNode } from 'react'
import { Instant, PageLink, Section, StatusBadge } from '../../components/index.ts'
import { WhyRun } from '../../components/why-run.tsx'
import type { Counts } from './numbers.tsx'
import styles from './overview.module.css'

/** Pipelines that failed since one last looked, and succeeded before. */
export function Broken({ broken }: { readonly broken: Counts['broken'] | undefined }): ReactNode {
  if (!broken) return null
  return (
    <Section title="Broke since you last looked" isCard>
      {broken.length === 0 ? (
        <p className={styles['nothing']}>Nothing did.</p>
      ) : (
        <ul className={styles['list']}>
          {broken.map((each) => (
            <li key={each.pipeline_id}>
              <StatusBadge status={each.status} />
              <WhyRun id={each.run_id} status={each.status} of={each.pipeline} />
              <PageLink to="/runs/$id" params={{ id: each.run_id }}>
                {each.pipeline}
              </PageLink>
              <Instant at={each.finished_at} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
