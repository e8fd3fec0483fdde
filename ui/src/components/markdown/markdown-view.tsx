import { type ReactNode, useMemo } from 'react'
import { OutsideLink } from '../outside-link.tsx'
import styles from './markdown.module.css'
import { type ElementName, type MarkdownElement, type MarkdownNode, readMarkdown } from './markdown-tree.ts'

/** More is not drawn at once: a hostile text could hold the page. */
const MOST_CHARACTERS = 100_000

export interface MarkdownProps {
  readonly text: string
}

/** Markdown from outside, as elements. */
export function MarkdownView({ text }: MarkdownProps): ReactNode {
  const nodes = useMemo(() => readMarkdown(text.slice(0, MOST_CHARACTERS)), [text])
  return (
    <div className={styles['markdown']}>
      <Nodes nodes={nodes} />
      {text.length > MOST_CHARACTERS && <p>Cut here: the text has {text.length} characters.</p>}
    </div>
  )
}

function Nodes({ nodes }: { readonly nodes: readonly MarkdownNode[] }): ReactNode {
  // The text never changes within one drawing: places are names enough.
  return nodes.map((node, at) => (typeof node === 'string' ? node : <Element key={at} element={node} />))
}

/** Headings stand below those of the page. */
const LOWERED: Readonly<Partial<Record<ElementName, ElementName>>> = {
  h1: 'h3',
  h2: 'h4',
  h3: 'h5',
  h4: 'h6',
  h5: 'h6',
}

function Element({ element: { name, href, start, children } }: { readonly element: MarkdownElement }): ReactNode {
  if (name === 'hr') return <hr />
  if (name === 'br') return <br />
  const content = <Nodes nodes={children} />
  if (name === 'a') return href === undefined ? content : <OutsideLink href={href}>{content}</OutsideLink>
  if (name === 'ol') return <ol start={start}>{content}</ol>
  if (name === 'table') return <TableFrame>{content}</TableFrame>
  const Name = LOWERED[name] ?? name
  return <Name>{content}</Name>
}

/** A wide table scrolls by itself. */
function TableFrame({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <section className={styles['frame']} tabIndex={0} aria-label="Table">
      <table>{children}</table>
    </section>
  )
}
