import { Select } from '@mantine/core'
import { teamRoutes } from '@signalbox/contracts/teams/routes'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useNavigate, useRouteContext } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { itemsOf, readAll } from '../client/index.ts'
import { useMe } from '../client/session.ts'
import { GROUPS, type NavigationEntry } from './navigation.ts'
import styles from './navigation-bar.module.css'
import { useShownTeam } from './shown-team.ts'
import { EVERY_TEAM } from './teams.ts'

/** The pages by group, for the team that is chosen above them. */
export function NavigationBar({ onLeave }: { readonly onLeave?: () => void }): ReactNode {
  const { navigation } = useRouteContext({ from: '__root__' })
  const team = useShownTeam()
  const { pathname } = useLocation()
  const me = useMe()
  const held = new Set(Object.values(me?.capabilities.permissions ?? {}).flat())
  const shown = navigation.filter(({ permission }) => permission === undefined || held.has(permission))
  return (
    <nav aria-label="Pages">
      <TeamPicker team={team} />
      {Object.entries(GROUPS).map(([group, label]) => {
        const entries = shown.filter((entry) => entry.group === group)
        if (entries.length === 0) return null
        return (
          <div key={group} className={styles['group']}>
            <h2 className={styles['label']}>{label}</h2>
            <ul>
              {entries.map((entry) => {
                const address = addressOf(entry, team)
                const Icon = entry.icon
                return (
                  <li key={entry.path}>
                    <Link
                      to={address}
                      className={styles['entry']}
                      aria-current={isBelow(pathname, entry, team) ? 'page' : undefined}
                      {...(onLeave ? { onClick: onLeave } : {})}
                    >
                      <Icon className={styles['icon']} stroke={1.5} aria-hidden />
                      {entry.label}
                    </Link>
                  </li>
                )
              })}
            </ul>
          </div>
        )
      })}
    </nav>
  )
}

/** The address of an entry: below the team, or below the root. */
export function addressOf({ path }: Pick<NavigationEntry, 'path'>, team: string): string {
  return path.startsWith('/') ? path : `/t/${encodeURIComponent(team)}${path === '' ? '' : `/${path}`}`
}

/** Whether a page is that of the entry, or of one of its things: `/runs/<id>` belongs to the runs. */
function isBelow(pathname: string, entry: NavigationEntry, team: string): boolean {
  const own = entry.path.startsWith('/') ? entry.path : `/${entry.path}`
  return [addressOf(entry, team), own].some((address) => pathname === address || pathname.startsWith(`${address}/`))
}

function TeamPicker({ team }: { readonly team: string }): ReactNode {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const teams = useQuery(readAll(teamRoutes.listTeams, { query: { limit: 500 } }))
  const paths = itemsOf(teams.data)
    .map(({ path }) => path)
    .toSorted()
  const known = team === EVERY_TEAM || paths.includes(team) ? paths : [...paths, team]
  return (
    <Select
      label="Team"
      searchable
      allowDeselect={false}
      value={team}
      data={[{ value: EVERY_TEAM, label: 'All teams' }, ...known.map((path) => ({ value: path, label: path }))]}
      onChange={(chosen) => {
        if (chosen === null) return
        const [, , , page] = pathname.split('/')
        const isOfTeam = pathname.startsWith('/t/')
        void navigate({ to: `/t/${encodeURIComponent(chosen)}${isOfTeam && page ? `/${page}` : ''}` })
      }}
    />
  )
}
