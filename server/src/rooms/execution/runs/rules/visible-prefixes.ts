/** The paths at and below which a caller sees runs of one team and the teams below it. */
export function within(prefixes: readonly string[], teamPath: string): string[] {
  const found = new Set<string>()
  for (const prefix of prefixes) {
    if (prefix === '/' || prefix === teamPath || teamPath.startsWith(`${prefix}/`)) return [teamPath]
    if (prefix.startsWith(`${teamPath}/`)) found.add(prefix)
  }
  return [...found]
}
