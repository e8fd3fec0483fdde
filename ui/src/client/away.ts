/**
 * What is away. `server`: nobody answers, or something in between does in its place. `database`: the control plane
 * answers, and cannot do its work. `rights`: it cannot know who may do what, and so does nothing.
 */
export type Away = 'server' | 'database' | 'rights'

const BETWEEN: ReadonlySet<number> = new Set([502, 503, 504])

/**
 * What a refusal says of the control plane itself; undefined where it answered. That a Git provider or the object store
 * does not answer is a matter of the one request, which says so in words of its own.
 */
export function awayBy({ status, code }: { readonly status: number; readonly code: string }): Away | undefined {
  if (code === 'database_unavailable') return 'database'
  if (code === 'authorization_unavailable') return 'rights'
  return BETWEEN.has(status) && code === `http_${status}` ? 'server' : undefined
}
