/** Directives of the language to come, named so that readers do not look for a spelling mistake. */
const LATER = new Set(['agent'])

/** The names that other systems have for ours. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  needs: 'depends_on',
  jobs: 'steps',
  stages: 'steps',
  when: 'if',
  condition: 'if',
  script: 'run',
  command: 'run',
  commands: 'run',
  environment: 'env',
  'continue-on-error': 'ignore_failure',
  allow_failure: 'ignore_failure',
  'timeout-minutes': 'timeout',
  retries: 'retry',
  vars: 'variables',
  strategy: 'matrix',
  container: 'image',
  uses: 'pipeline',
  trigger: 'pipeline',
  with: 'inputs',
  'runs-on': 'profile',
  tags: 'profile',
  'concurrency-group': 'concurrency',
  'cancel-in-progress': 'on_conflict',
  needs_artifact: 'needs_artifacts',
  dependencies: 'needs_artifacts',
  'restore-keys': 'fallback',
  expire_in: 'retention',
}

/** The sentence for a directive that is not known where it stands. */
export function describeUnknown(name: string, known: readonly string[], everywhere: readonly string[]): string {
  if (name === '<<') return 'merge keys are not supported: write the entries out'
  const other = Object.hasOwn(ELSEWHERE, name) ? ELSEWHERE[name] : undefined
  const near = nearest(name, known) ?? (other !== undefined && known.includes(other) ? other : undefined)
  if (near !== undefined) return `unknown directive \`${name}\`: did you mean \`${near}\`?`
  if (LATER.has(name)) return `unknown directive \`${name}\`: this version of the language does not have it, remove it`
  if (everywhere.includes(name))
    return `unknown directive \`${name}\` here: it belongs elsewhere; known here are ${known.join(', ')}`
  return `unknown directive \`${name}\`: known here are ${known.join(', ')}`
}

/** The candidate that a slip of the finger away from `name` lies, if any. */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  const allowed = name.length <= 3 ? 1 : name.length <= 8 ? 2 : 3
  let best: string | undefined
  let bestDistance = allowed + 1
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase())
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance]
  }
  return best
}

/** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replace = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      let cost = Math.min(replace, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1)
      row.push(cost)
    }
    before = above
    above = row
  }
  return above[b.length] ?? 0
}
