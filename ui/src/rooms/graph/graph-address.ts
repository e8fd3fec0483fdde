import type { Unfolded } from './step-graph.ts'

/** What a page with a graph keeps of it in its address. */
export interface GraphAddress {
  /** What is unfolded: the names of steps and of matrices, or all. */
  readonly open?: readonly string[] | 'all' | undefined
}

/** Reads the address; what it cannot mean is left out. */
export function readGraphAddress({ open }: Readonly<Record<string, unknown>>): GraphAddress {
  if (open === 'all') return { open }
  const names = Array.isArray(open) ? open.filter((name) => typeof name === 'string') : []
  return names.length === 0 ? {} : { open: names }
}

export function unfoldedOf({ open }: GraphAddress): Unfolded {
  return open === 'all' ? open : new Set(open)
}

/** The part of an address that says what is unfolded; nothing where all is as it was at first. */
export function addressOfUnfolded(unfolded: Unfolded): GraphAddress {
  return { open: unfolded === 'all' ? unfolded : unfolded.size === 0 ? undefined : [...unfolded] }
}
