import { type Checkout, Submodules } from '@signalbox/contracts/runner'
import { refProblem, shaProblem } from './rules.ts'

export interface CheckoutRequest {
  readonly cloneUrl: string
  readonly ref: string
  readonly commitSha: string
  readonly username: string
  readonly password: string
  /** Commits of history; 0 for all of it. */
  readonly depth: number
  readonly tags: boolean
  readonly submodules: 'none' | 'direct' | 'recursive'
  readonly lfs: boolean
  /** Empty: all folders. */
  readonly sparse: readonly string[]
  readonly merge: { readonly baseRef: string; readonly baseSha: string } | undefined
}

/** Reads what the control plane asks for. Answers a sentence where no checkout can come of that. */
export function readRequest(checkout: Checkout): CheckoutRequest | { problem: string } {
  const { cloneUrl, ref, commitSha, username, password, tags, lfs, sparse } = checkout
  const merge = checkout.merge && { baseRef: checkout.merge.baseRef, baseSha: checkout.merge.baseSha }
  const problem =
    refProblem(ref) ??
    shaProblem(commitSha) ??
    (merge && (refProblem(merge.baseRef) ?? (merge.baseSha === '' ? undefined : shaProblem(merge.baseSha)))) ??
    sparse.map(folderProblem).find((each) => each !== undefined)
  if (problem !== undefined) return { problem }
  if (merge?.baseRef === '') return { problem: 'A merge needs the full ref of its base.' }
  const submodules = submodulesOf(checkout.submodules)
  if (submodules === undefined)
    return { problem: 'The checkout asks for submodules in a way that this runner does not know: upgrade it.' }
  const depth = merge ? 0 : (checkout.depth ?? 1)
  return { cloneUrl, ref, commitSha, username, password, depth, tags, submodules, lfs, sparse: [...sparse], merge }
}

function submodulesOf(value: Submodules): CheckoutRequest['submodules'] | undefined {
  switch (value) {
    case Submodules.DIRECT:
      return 'direct'
    case Submodules.RECURSIVE:
      return 'recursive'
    case Submodules.NONE:
      return 'none'
    // Of a newer control plane.
    default:
      return undefined
  }
}

/** A name that Git could read as an option or a pattern counts as no folder. */
function folderProblem(folder: string): string | undefined {
  return folder === '' ||
    /^[-/]|\/$|[\\*?[\]!#"\x00-\x1f]/.test(folder) ||
    folder.split('/').some((part) => /^\.{0,2}$/.test(part))
    ? `${JSON.stringify(folder)} is no folder of a repository.`
    : undefined
}
