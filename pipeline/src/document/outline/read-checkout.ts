import { booleanOf, integerOf, type SourceNode, textOf } from '../source-tree.ts'
import type { CheckoutOutline } from './outline.ts'
import { placedTexts } from './placed.ts'
import { directivesOf } from './read-node.ts'

/** Undefined where nothing is said. */
export function readCheckout(node: SourceNode | undefined, directive: string): CheckoutOutline | undefined {
  if (node?.kind !== 'map') return booleanOf(node)
  const at = directivesOf(node)
  const depth = at('depth')
  const value = integerOf(depth)
  const submodules = at('submodules')
  return {
    depth:
      depth === undefined || value === undefined
        ? undefined
        : { value, directive: `${directive}.depth`, line: depth.line, column: depth.column },
    tags: booleanOf(at('tags')) ?? false,
    submodules: textOf(submodules) === 'recursive' ? 'recursive' : (booleanOf(submodules) ?? false),
    lfs: booleanOf(at('lfs')) ?? false,
    sparse: placedTexts(at('sparse'), `${directive}.sparse`),
    merge: booleanOf(at('merge')) ?? false,
  }
}
