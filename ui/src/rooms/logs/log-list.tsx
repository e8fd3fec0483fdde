import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { VList, type VListHandle } from 'virtua'
import styles from './log-view.module.css'
import type { LogWindow } from './log-window.ts'

interface LogListProps {
  readonly window: LogWindow
  readonly start: number
  readonly end: number
  readonly epoch: number
  readonly draw: (row: number) => ReactNode
  readonly wraps: boolean
  readonly showsNumber: boolean
}

const UPWARD = new Set(['ArrowUp', 'PageUp', 'Home'])
const ROW_HEIGHT = 18

/** A list of any length. While it follows, it stays at the end; whoever scrolls up lets go. */
export function LogList({ window, start, end, epoch, draw, wraps, showsNumber }: LogListProps): ReactNode {
  const list = useRef<VListHandle>(null)
  const isHeld = useRef(false)
  const lastOffset = useRef(0)

  useLayoutEffect(() => {
    const place = window.takePlace({ start, end, epoch })
    if (place) list.current?.scrollToIndex(place.row - start, { align: place.align })
  })

  const onScroll = (offset: number): void => {
    const { current } = list
    if (!current) return
    const isUp = offset < lastOffset.current
    lastOffset.current = offset
    if (isHeld.current && isUp) window.follow(false)
    window.shown(start + current.findItemIndex(offset), start + current.findItemIndex(offset + current.viewportSize))
  }
  const letGo = (): void => {
    window.scrolled()
    window.follow(false)
  }
  return (
    <VList
      key={epoch}
      ref={list}
      // Rows are known by their place: a list of thousands would be made anew with each line that comes.
      data={{ length: end - start }}
      itemSize={ROW_HEIGHT}
      className={styles['rows'] ?? ''}
      data-wraps={wraps}
      data-numbers={showsNumber}
      role="log"
      aria-live="off"
      aria-label="Lines"
      // The keyboard scrolls it.
      tabIndex={0}
      onScroll={onScroll}
      onWheel={({ deltaY }) => (deltaY < 0 ? letGo() : window.scrolled())}
      onKeyDown={({ key }) => (UPWARD.has(key) ? letGo() : window.scrolled())}
      onTouchMove={letGo}
      onPointerDown={() => {
        isHeld.current = true
        window.scrolled()
      }}
      onPointerUp={() => void (isHeld.current = false)}
    >
      {(_: unknown, at: number) => <div key={at}>{draw(start + at)}</div>}
    </VList>
  )
}
