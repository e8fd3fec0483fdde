import { Title } from '@mantine/core'
import { Fragment, type ReactNode, useEffect, useRef } from 'react'
import { afterPaint } from './after-paint.ts'
import styles from './page-header.module.css'
import { useTellTeam } from './page-team.ts'
import { showInvisible } from './show-invisible.ts'

interface PageHeaderProps {
  readonly title: string
  /** Path of the team to which the object belongs: the frame shows it. */
  readonly team?: string | undefined
  /** Links to what the page lies in, from the outside in. */
  readonly breadcrumb?: readonly ReactNode[]
  /** Beside the title: a badge. */
  readonly badge?: ReactNode
  /** The server's sentence of why things are as they are. */
  readonly sentence?: ReactNode
  /** One line: cause, commit, who, duration. */
  readonly facts?: readonly ReactNode[]
  /** One primary action, and a menu. */
  readonly actions?: ReactNode
}

/**
 * The head of every page. Names the document, and takes the focus when the page is opened, so that a reader and the
 * keyboard begin here.
 */
export function PageHeader({ title, team, breadcrumb, badge, sentence, facts, actions }: PageHeaderProps): ReactNode {
  const shown = showInvisible(title)
  const heading = useRef<HTMLHeadingElement>(null)
  useTellTeam(team)
  useEffect(() => {
    document.title = `${shown} · Signalbox`
  }, [shown])
  useEffect(() => {
    const left = document.activeElement
    // The browser lays the page out before it moves the focus: now that would be done twice for one frame.
    return afterPaint(() => {
      // A dialog, or a field that asked for the focus, keeps it, and so does what somebody went to meanwhile.
      const { activeElement } = document
      const isFree = activeElement === document.body || activeElement === null
      if (isFree || (activeElement === left && left.closest('nav, [data-leads-away]')))
        heading.current?.focus({ preventScroll: true })
    })
  }, [])
  return (
    <header className={styles['header']}>
      {breadcrumb && breadcrumb.length > 0 && (
        <nav className={styles['breadcrumb']} aria-label="Breadcrumb">
          {breadcrumb.map((part, index) => (
            // The parts of one page's breadcrumb never change their order.
            <Fragment key={index}>
              {index > 0 && <span aria-hidden>/</span>}
              {part}
            </Fragment>
          ))}
        </nav>
      )}
      <div className={styles['line']}>
        <Title order={1} ref={heading} tabIndex={-1} className={styles['title']}>
          {shown}
        </Title>
        {badge}
        {actions && <div className={styles['actions']}>{actions}</div>}
      </div>
      {sentence && <p className={styles['sentence']}>{sentence}</p>}
      {facts && facts.length > 0 && (
        <ul className={styles['facts']}>
          {facts.map((fact, index) => (
            <li key={index}>{fact}</li>
          ))}
        </ul>
      )}
    </header>
  )
}
