/** What the sentence of a refusal says behind the topics that it refuses: a 400 goes on with the kinds that there are. */
const BEHIND_REFUSED = ' is no topic.'

/** Those of the topics that a refusal names: by whole names, as `runs:acme/web` says nothing of `runs:acme`. */
export function refusedAmong(topics: Iterable<string>, refusal: string): readonly string[] {
  const detail = detailOf(refusal)
  const end = detail.indexOf(BEHIND_REFUSED)
  const named = new Set((end < 0 ? detail : detail.slice(0, end)).split(/[^a-z0-9:/_-]+/))
  return [...topics].filter((topic) => named.has(topic))
}

/** A proxy may refuse by a page of its own, which names nothing. */
function detailOf(refusal: string): string {
  try {
    const problem: unknown = JSON.parse(refusal)
    const isProblem = typeof problem === 'object' && problem !== null && 'detail' in problem
    return isProblem && typeof problem.detail === 'string' ? problem.detail : ''
  } catch {
    return ''
  }
}
