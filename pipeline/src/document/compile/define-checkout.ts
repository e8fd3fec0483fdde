import type { GraphCheckout } from '../../graph/index.ts'
import type { CheckoutOutline } from '../outline/index.ts'

/** A task's checkout replaces the whole of the pipeline's. */
export function defineCheckout(
  task: CheckoutOutline | undefined,
  pipeline: CheckoutOutline | undefined,
): boolean | GraphCheckout {
  const outline = task ?? pipeline ?? true
  if (typeof outline === 'boolean') return outline
  const { depth, tags, submodules, lfs, sparse, merge } = outline
  return {
    depth: merge ? 0 : (depth?.value ?? 1),
    tags,
    submodules: submodules === 'recursive' ? 'recursive' : submodules ? 'direct' : 'none',
    lfs,
    sparse: sparse.map(({ value }) => value),
    merge,
  }
}
