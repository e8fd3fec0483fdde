const MOST_TEAMS = 200

/** Notes that somebody looked at a team; the teams that were not looked at for longest are forgotten. */
export function withSeen(lastSeen: Readonly<Record<string, string>>, team: string, at: Date): Record<string, string> {
  const others = Object.entries(lastSeen).filter(([path]) => path !== team)
  const newest = others.toSorted(([, left], [, right]) => Date.parse(right) - Date.parse(left))
  return Object.fromEntries([[team, at.toISOString()], ...newest.slice(0, MOST_TEAMS - 1)])
}
