import { knowledgeRoutes } from '@signalbox/contracts/knowledge/routes'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { read, useLive } from '../client/index.ts'
import { useMe } from '../client/session.ts'
import { ForeignText, PageLink } from '../components/index.ts'
import styles from './banners.module.css'

const READ = [knowledgeRoutes.listEmergencies]

/** Where no stream of changes is to be had, as behind a proxy that keeps it back. */
const PATIENCE_MS = 4000

/** The emergencies that hold for something that one may see, on every page. */
export function EmergencyBanner(): ReactNode {
  const [isFollowing, setFollowing] = useState(false)
  const me = useMe()
  const maySee = Object.values(me?.capabilities.permissions ?? {}).some((held) => held.includes('knowledge.read'))
  const emergencies = useQuery({
    ...read(knowledgeRoutes.listEmergencies, { query: { active: true, limit: 5 } }),
    enabled: maySee && isFollowing,
    retry: false,
  })
  // What is read before the stream of changes begins is read again when it does.
  useLive(['emergencies'], READ, () => setFollowing(true))
  useEffect(() => {
    const timer = setTimeout(() => setFollowing(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  return emergencies.data?.map(({ id, scope, reason, declared_by }) => (
    <p key={id} className={styles['banner']} data-tone="failure">
      <strong>Emergency of {scope}:</strong>
      <ForeignText>{`${reason} (${declared_by.name})`}</ForeignText>
      <PageLink to="/emergencies">All emergencies</PageLink>
    </p>
  ))
}
