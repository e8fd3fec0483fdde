const TRUSTED = 'trusted'

/**
 * The namespace of the caches of a run, and the others that it reads. Only runs of the same pull request find caches of
 * untrusted code: a fork must not fill the cache that builds main.
 */
export function namespaceOf(run: {
  readonly untrusted: boolean
  readonly repository: string | null
  readonly pullRequest: number | null
}): { readonly namespace: string; readonly alsoReads: readonly string[] } {
  if (!run.untrusted) return { namespace: TRUSTED, alsoReads: [] }
  // The number first: a very long name is cut.
  const of = `#${run.pullRequest ?? 0}:${run.repository ?? 'unknown'}`
  return { namespace: `untrusted:${of}`.slice(0, 500), alsoReads: [TRUSTED] }
}
