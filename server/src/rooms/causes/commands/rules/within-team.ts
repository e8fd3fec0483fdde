/** Whether a path, of a team or of an environment, lies at the team or below it. */
export function isWithin(path: string, teamPath: string): boolean {
  return teamPath === '/' || path === teamPath || path.startsWith(`${teamPath}/`)
}
