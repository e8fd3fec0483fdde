import { validatePatterns } from '@signalbox/pipeline/patterns'

export interface FieldFault {
  readonly field: string
  readonly message: string
}

/**
 * The faults of the scope patterns of a runner of `teamPath`. Each pattern without "!" must begin with the team: the work of
 * another team would bring that team's secrets to the runner.
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
