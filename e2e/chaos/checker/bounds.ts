import type { History, Size } from '../history.ts'
import type { Violation } from './violation.ts'

/** Open files that come and go by themselves: a timer, a resolver, a connection of the pool. */
const FILES_BESIDE = 24

/** I7: a missing answer gives intruders nothing. */
export function checkIntruders({ seen }: History): Violation[] {
  return seen.flatMap((one): Violation[] => {
    if (one.kind !== 'intruded' || one.status === undefined || one.status >= 400) return []
    return [{ invariant: 'I7', what: `${one.what}: answered ${one.status}`, ids: [] }]
  })
}

/** I8. */
export function checkSizes({ seen, stored, bounds }: History): Violation[] {
  const sizes = seen.flatMap((one) => (one.kind === 'size' ? [one.size] : []))
  const before = new Map(sizes.filter(({ when }) => when === 'before').map((size) => [size.process, size]))
  const grown = sizes
    .filter(({ when }) => when === 'after')
    .flatMap((size) => findGrowth(size, before.get(size.process), bounds.residentMb))
  if (stored.connections <= bounds.connections) return grown
  const what = `${stored.connections} connections to the database, at most ${bounds.connections} are allowed`
  return [...grown, { invariant: 'I8', what, ids: [] }]
}

function findGrowth(after: Size, before: Size | undefined, mostMb: number): Violation[] {
  const ids = [after.process]
  const violations: Violation[] = []
  if (after.residentMb > mostMb) {
    violations.push({ invariant: 'I8', what: `${Math.round(after.residentMb)} MB, more than ${mostMb} MB`, ids })
  }
  if (before && after.files > before.files * 1.1 + FILES_BESIDE) {
    violations.push({ invariant: 'I8', what: `${after.files} open files, ${before.files} before`, ids })
  }
  return violations
}
