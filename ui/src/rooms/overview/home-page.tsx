import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { EmptyState, PageHeader, PageLink, useTeamPaths } from '../../components/index.ts'
import { EVERY_TEAM } from '../../shell/index.ts'
import styles from './overview.module.css'
import { TeamHome } from './team-home.tsx'

const page = getRouteApi('/shell/t/$team/home')

/** What a team must know first; without a team, which teams there are. */
export function HomePage(): ReactNode {
  const { team } = page.useParams()
  return team === EVERY_TEAM ? <TeamChoice /> : <TeamHome key={team} team={team} />
}

function TeamChoice(): ReactNode {
  const paths = useTeamPaths()
  return (
    <>
      <PageHeader title="Home" sentence="Each team has a home: what waits for you, what broke, what fires next." />
      {paths.length === 0 ? (
        <EmptyState title="No team yet" command="signalbox team create <team>">
          Teams own everything else. You see the teams in which you have a role.
        </EmptyState>
      ) : (
        <ul className={styles['teams']}>
          {paths.map((path) => (
            <li key={path}>
              <PageLink to="/t/$team/home" params={{ team: path }}>
                {path}
              </PageLink>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
