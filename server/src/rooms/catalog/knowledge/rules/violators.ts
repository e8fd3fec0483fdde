const FIRST = /^The (?:policy|guardrail) (\S+) (?:is violated|cannot be judged, so nothing begins): /
const OTHERS = ' Violated as well: '

/** The identifiers of the items whose violation ended a run, of the run's reason; none: something else ended it. */
export function violatorsOf(reason: string): readonly string[] {
  const first = FIRST.exec(reason)?.[1]
  if (first === undefined) return []
  const others = reason.lastIndexOf(OTHERS)
  if (others === -1) return [first]
  const named = reason.slice(others + OTHERS.length, -1).split(', ')
  return [first, ...named.flatMap((each) => each.split(' ')[1] ?? [])]
}
