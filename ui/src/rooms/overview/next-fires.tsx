import type { ReactNode } from 'react'
import { Instant, PageLink, Section } from '../../components/index.ts'
import styles from './overview.module.css'

interface NextFiresProps {
  readonly next:
    | readonly { readonly schedule_id: string; readonly identifier: string; readonly fires_at: string }[]
    | undefined
}

/** The schedules that fire next. */
export function NextFires({ next }: NextFiresProps): ReactNode {
  if (!next) return null
  return (
    <Section title="Fires next" isCard>
      {next.length === 0 ? (
        <p className={styles['nothing']}>No schedule is enabled.</p>
      ) : (
        <ul className={styles['list']}>
          {next.map((each) => (
            <li key={each.schedule_id}>
              <PageLink to="/schedules/$id" params={{ id: each.schedule_id }}>
                {each.identifier}
              </PageLink>
              <Instant at={each.fires_at} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
