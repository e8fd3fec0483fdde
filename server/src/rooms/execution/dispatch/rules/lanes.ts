/** The needs of the runs of one lane. The database makes the text of a lane (see the migration of runs). */
export interface Lane {
  readonly scope: string
  readonly executor: 'host' | 'container'
  readonly labels: readonly string[]
  /** The only runner that may have it; null: any. */
  readonly runner: string | null
}

type Wanted = Omit<Lane, 'scope' | 'runner'> & Partial<Pick<Lane, 'runner'>>

/** As the database writes it: jsonb puts the shorter key first, and a space behind each colon and comma. */
export function laneText(scope: string, { executor, labels, runner }: Wanted): string {
  const list = [...labels].sort().map((label) => JSON.stringify(label))
  const pinned = runner === null || runner === undefined ? '' : `, "runner": ${JSON.stringify(runner)}`
  return `${scope} {"labels": [${list.join(', ')}]${pinned}, "executor": "${executor}"}`
}

/** Undefined for a text that is no lane. */
export function readLane(text: string): Lane | undefined {
  const space = text.indexOf(' ')
  if (space === -1) return undefined
  let requirement: unknown
  try {
    requirement = JSON.parse(text.slice(space + 1))
  } catch {
    return undefined
  }
  if (typeof requirement !== 'object' || requirement === null) return undefined
  const executor = 'executor' in requirement && requirement.executor === 'container' ? 'container' : 'host'
  const labels = 'labels' in requirement && Array.isArray(requirement.labels) ? requirement.labels : []
  const runner = 'runner' in requirement && typeof requirement.runner === 'string' ? requirement.runner : null
  return { scope: text.slice(0, space), executor, labels: labels.filter((label) => typeof label === 'string'), runner }
}

/** A lane that gave as many as were asked for may have more. */
export function noteFullLanes(
  lanes: readonly string[],
  rows: readonly { readonly lane: string }[],
  limit: number,
  full: Set<string>,
): void {
  const counts = new Map<string, number>()
  for (const { lane } of rows) counts.set(lane, (counts.get(lane) ?? 0) + 1)
  for (const lane of lanes) if ((counts.get(lane) ?? 0) >= limit) full.add(lane)
}
