/** The team that stands for all that one may see. */
export const EVERY_TEAM = '~'

/** The query of a list for the team of the address. */
export function teamQuery(team: string): { readonly teamId?: string } {
  return team === EVERY_TEAM ? {} : { teamId: team }
}

/** As `teamQuery`, for routes that take a path. */
export function teamPathQuery(team: string): { readonly team_path?: string } {
  return team === EVERY_TEAM ? {} : { team_path: team }
}

/** The path of the team of the address; `/` for all. */
export function placeOf(team: string): string {
  return team === EVERY_TEAM ? '/' : team
}

/** The team of the address; undefined for all, where a form asks for the team itself. */
export function teamOrAny(team: string): string | undefined {
  return team === EVERY_TEAM ? undefined : team
}

/** A topic of live events for the team of the address. */
export function teamTopic(kind: 'runs' | 'schedules', team: string): string {
  return `${kind}:${placeOf(team)}`
}
