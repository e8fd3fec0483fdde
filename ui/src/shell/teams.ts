/** The team that stands for all that one may see. */
export const EVERY_TEAM = '~'

/** The query of a list for the team of the address. */
export function teamQuery(team: string): { readonly teamId?: string } {
  return team === EVERY_TEAM ? {} : { teamId: team }
}
