import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'

interface OutsideLinkProps {
  /** Whatever the text said; only http and https become a link. */
  readonly href: string
  readonly children: ReactNode
}

/** A link to another site that a foreign text holds: it says where it leads, and gives nothing away. */
export function OutsideLink({ href, children }: OutsideLinkProps): ReactNode {
  const url = URL.parse(href)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return children
  return (
    <>
      <Anchor href={url.href} target="_blank" rel="noopener noreferrer nofollow" underline="always" inherit>
        {children}
      </Anchor>{' '}
      <small>({url.host})</small>
    </>
  )
}
