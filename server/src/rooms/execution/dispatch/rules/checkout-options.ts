import type { MessageInitShape } from '@bufbuild/protobuf'
import { type CheckoutSchema, Submodules } from '@signalbox/contracts/runner'
import type { GraphCheckout } from '@signalbox/pipeline/graph'
import type { Json } from '@signalbox/pipeline/status'

type Options = Pick<
  MessageInitShape<typeof CheckoutSchema>,
  'depth' | 'tags' | 'submodules' | 'lfs' | 'sparse' | 'merge'
>

/** The options of a task's checkout; a sentence where its merge commit is unknown. */
export function checkoutOptionsOf(
  checkout: boolean | GraphCheckout,
  pullRequest: number | null,
  event: Json,
): { readonly options: Options } | { readonly impossible: string } {
  if (typeof checkout === 'boolean') return { options: {} }
  const { depth, tags, lfs, sparse } = checkout
  const options = { depth, tags, submodules: submodulesOf(checkout.submodules), lfs, sparse: [...sparse] }
  if (!checkout.merge || pullRequest === null) return { options }
  const base = entryOf(entryOf(event, 'pull_request'), 'base')
  const branch = entryOf(base, 'ref')
  if (typeof branch !== 'string') {
    return {
      impossible: 'The pull request cannot be merged: the event does not say into which branch (checkout.merge).',
    }
  }
  const sha = entryOf(base, 'sha')
  return {
    options: { ...options, merge: { baseRef: `refs/heads/${branch}`, baseSha: typeof sha === 'string' ? sha : '' } },
  }
}

function submodulesOf(submodules: GraphCheckout['submodules']): Submodules {
  switch (submodules) {
    case 'none':
      return Submodules.NONE
    case 'direct':
      return Submodules.DIRECT
    case 'recursive':
      return Submodules.RECURSIVE
  }
}

function entryOf(value: Json | undefined, name: string): Json | undefined {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined
  return Object.entries(value).find(([key]) => key === name)?.[1]
}
