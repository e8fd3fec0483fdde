import { validatePatterns } from '@signalbox/pipeline/patterns'

export interface FieldFault {
  readonly field: string
  readonly message: string
}

/**
 * What is wrong with the scope patterns of a runner of `teamPath`. A runner of a team never gets the work of another team,
 * because the other team's secrets come with it: each pattern without "!" must begin with the team.
 */
export function findScopeFaults(scopes: readonly string[], teamPath: string): FieldFault[] {
  const faults = validatePatterns(scopes).map(({ index, message }) => ({
    field: index === null ? 'scopes' : `scopes.${index}`,
    message,
  }))
  if (teamPath === '/') return faults
  for (const [index, scope] of scopes.entries()) {
    if (scope.startsWith('!') || scope.startsWith(`${teamPath}/`)) continue
    faults.push({ field: `scopes.${index}`, message: `must begin with ${teamPath}/, the team of the runner` })
  }
  return faults
}
