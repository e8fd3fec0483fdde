import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { lazyPart } from '../lazy-part.tsx'
import type { MarkdownProps } from './markdown-view.tsx'

// Pure: whoever imports something else of this folder does not load it.
const Loaded = /* @__PURE__ */ lazyPart(async () => (await import('./markdown-view.tsx')).MarkdownView, {
  waiting: <Skeleton height="4em" />,
})

/** Markdown from outside, made safe: no HTML, no images, links by http and https only, with their host. */
export function Markdown(props: MarkdownProps): ReactNode {
  return <Loaded {...props} />
}
