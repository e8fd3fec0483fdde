import type { KnowledgeSummary } from './item.ts'

/** In the order in which they are judged: the platform first, then each team on the way down, the older item first. */
export function inJudgedOrder(items: readonly KnowledgeSummary[]): readonly KnowledgeSummary[] {
  return items.toSorted(
    (a, b) => a.team_path.length - b.team_path.length || compare(a.team_path, b.team_path) || compare(a.id, b.id),
  )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Where an item that holds in a scope comes from. */
export function originOf({ team_path: team }: Pick<KnowledgeSummary, 'team_path'>, scope: string): string {
  if (team === '/') return 'the platform'
  const own = scope.slice(0, scope.lastIndexOf('/'))
  if (team === own) return `${team}, the team of the scope`
  return own.startsWith(`${team}/`) ? `${team}, above the scope` : `${team}, of the pipelines`
}
