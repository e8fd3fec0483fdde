import { Skeleton } from '@mantine/core'
import { lazy, type ReactNode, Suspense } from 'react'
import type { MarkdownProps } from './markdown-view.tsx'

const Loaded = lazy(async () => ({ default: (await import('./markdown-view.tsx')).MarkdownView }))

/** Markdown from outside, made safe: no HTML, no images, links by http and https only, with their host. */
export function Markdown(props: MarkdownProps): ReactNode {
  return (
    <Suspense fallback={<Skeleton height="4em" />}>
      <Loaded {...props} />
    </Suspense>
  )
}
