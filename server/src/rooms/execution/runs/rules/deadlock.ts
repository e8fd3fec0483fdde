/** A run that a task wanted, and that waits for its turn in a group. */
export interface WaitingChild {
  readonly id: string
  readonly group: string
  /** Runs of the group whose turn it is. */
  readonly holders: readonly string[]
  /** The run whose task wants it, and those above that one: they end after it. */
  readonly above: readonly string[]
}

/** A run that nothing but its own end would ever let begin, and a sentence that says why. */
export interface Deadlock {
  readonly id: string
  readonly reason: string
}

/** `waits` waits behind `holder`, which is above `next` and so ends after it. */
interface Link {
  readonly waits: WaitingChild
  readonly holder: string
  readonly next: WaitingChild
}

/**
 * Runs that wait for each other in circles. Example: child a waits behind a run above child b, and child b waits behind a
 * run above child a. The youngest run of each circle must end (ids are ordered by time), until no circle is left.
 */
export function findDeadlocks(children: readonly WaitingChild[]): readonly Deadlock[] {
  const found: Deadlock[] = []
  let left = children
  for (;;) {
    const circle = findCircle(left)
    if (!circle) return found
    const at = circle.findIndex(({ waits }) => circle.every((other) => other.waits.id <= waits.id))
    const links = [...circle.slice(at), ...circle.slice(0, at)]
    const youngest = links[0]?.waits
    if (!youngest) return found
    found.push({ id: youngest.id, reason: explain(links) })
    left = left.filter((child) => child !== youngest)
  }
}

/** Depth first; a child from which no circle was found is not looked at again. */
function findCircle(children: readonly WaitingChild[]): readonly Link[] | undefined {
  const below = new Map<string, WaitingChild[]>()
  for (const child of children) {
    for (const id of child.above) {
      const known = below.get(id)
      if (known) known.push(child)
      else below.set(id, [child])
    }
  }
  const done = new Set<WaitingChild>()
  for (const start of children) {
    const path: { readonly child: WaitingChild; readonly links: Link[] }[] = [
      { child: start, links: linksOf(start, below) },
    ]
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const link = top.links.pop()
      if (!link) {
        done.add(top.child)
        path.pop()
        continue
      }
      const from = path.findIndex(({ child }) => child === link.next)
      if (from !== -1)
        return circleOf(
          path.slice(from).map(({ child }) => child),
          below,
        )
      if (!done.has(link.next)) path.push({ child: link.next, links: linksOf(link.next, below) })
    }
  }
  return undefined
}

function linksOf(waits: WaitingChild, below: ReadonlyMap<string, readonly WaitingChild[]>): Link[] {
  return waits.holders.flatMap((holder) => (below.get(holder) ?? []).map((next) => ({ waits, holder, next })))
}

/** Each of them waits for the next one, the last for the first. */
function circleOf(
  children: readonly WaitingChild[],
  below: ReadonlyMap<string, readonly WaitingChild[]>,
): readonly Link[] {
  return children.flatMap((waits, at) => {
    const next = children[(at + 1) % children.length]
    return linksOf(waits, below)
      .filter((link) => link.next === next)
      .slice(0, 1)
  })
}

function explain(links: readonly Link[]): string {
  const parts = links.map(({ waits, holder, next }, at) => {
    const subject = at === 0 ? 'it' : `run ${waits.id}`
    const last = at === links.length - 1
    return `${subject} waits for its turn in the group ${waits.group} behind run ${holder}, which wants ${last ? 'this one' : `run ${next.id}`}`
  })
  return `Runs wait for each other for ever: ${parts.join('; ')}.`
}
