import type { ReactNode } from 'react'
import { ForeignText, Instant, PageLink, Section, StatusBadge, Why } from '../../components/index.ts'
import type { Counts } from './numbers.tsx'
import styles from './overview.module.css'

interface SickProps {
  readonly sources: Counts['sources'] | undefined
  readonly runners: Counts['runners'] | undefined
}

/** The sources and runners that somebody should look at; nothing where all is well. */
export function Sick({ sources, runners }: SickProps): ReactNode {
  const [sick, away] = [sources?.sick ?? [], runners?.away ?? []]
  if (sick.length === 0 && away.length === 0) return null
  return (
    <Section title="Needs a look" isCard>
      <ul className={styles['list']}>
        {sick.map(({ source_id, name, status, sentence }) => (
          <li key={source_id}>
            <span className={styles['state']}>
              <StatusBadge status={status} />
            </span>
            <PageLink to="/sources/$id" params={{ id: source_id }}>
              <ForeignText>{name}</ForeignText>
            </PageLink>
            <Why of={name}>{sentence}</Why>
          </li>
        ))}
        {away.map(({ runner_id, name, last_seen_at }) => (
          <li key={runner_id}>
            <span className={styles['state']}>
              <StatusBadge status="offline" />
            </span>
            <PageLink to="/runners/$id" params={{ id: runner_id }}>
              <ForeignText>{name}</ForeignText>
            </PageLink>
            <span>
              last seen <Instant at={last_seen_at} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
