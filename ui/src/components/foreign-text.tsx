import type { ReactNode } from 'react'
import { showInvisible } from './show-invisible.ts'

/**
 * Text from outside (names of branches, messages, payloads): never markup, in a direction of its own, and with invisible
 * and bidirectional characters made visible.
 */
export function ForeignText({ children }: { readonly children: string | null | undefined }): ReactNode {
  if (!children) return null
  return <bdi>{showInvisible(children)}</bdi>
}
