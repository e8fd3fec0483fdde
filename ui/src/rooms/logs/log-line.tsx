import { IconChevronDown, IconChevronRight, IconUnlink } from '@tabler/icons-react'
import type { MouseEvent, ReactNode } from 'react'
import { Instant, showInvisible } from '../../components/index.ts'
import { type Piece, readLine } from './ansi.ts'
import type { LineRange, LogEntry } from './log-entry.ts'
import type { LogStore } from './log-store.ts'
import styles from './log-view.module.css'

interface LogLineProps {
  readonly store: LogStore
  readonly section: string
  readonly number: number
  /** Undefined while it is read. */
  readonly entry: LogEntry | undefined
  readonly showsTime: boolean
  readonly isChosen: boolean
  /** What was searched for; the line that the search stands at is current. */
  readonly needle: string
  readonly isCurrent: boolean
  readonly isFolded: boolean
  readonly hrefOf: (range: LineRange) => string
  readonly onChoose: (event: MouseEvent, range: LineRange) => void
}

/** A line of a log. Whatever it holds, it becomes text. */
export function LogLine(props: LogLineProps): ReactNode {
  const { section, number, entry, showsTime, isChosen, isCurrent, hrefOf, onChoose } = props
  const range: LineRange = { section, first: number, last: number }
  return (
    <div
      className={styles['line']}
      data-stream={entry?.stream}
      data-chosen={isChosen || undefined}
      data-current={isCurrent || undefined}
    >
      <a className={styles['number']} href={hrefOf(range)} onClick={(event) => onChoose(event, range)}>
        <span className={styles['unseen']}>Line </span>
        {number}
      </a>
      {showsTime && <span className={styles['time']}>{entry && <Instant at={entry.at} form="time" />}</span>}
      <span className={styles['stream']}>{entry?.stream === 'stderr' ? 'err' : ''}</span>
      <Content {...props} />
    </div>
  )
}

function Content({ store, section, number, entry, needle, isFolded }: LogLineProps): ReactNode {
  if (!entry) return <span className={styles['text']}>…</span>
  if (entry.gap) {
    return (
      <span className={styles['gap']}>
        <IconUnlink size="1em" aria-hidden /> {entry.line}
      </span>
    )
  }
  if (entry.fold?.kind === 'start') {
    const toggle = (): void => void store.toggleFold(section, number)
    return (
      <button type="button" className={styles['fold']} aria-expanded={!isFolded} onClick={toggle}>
        {isFolded ? <IconChevronRight size="1em" aria-hidden /> : <IconChevronDown size="1em" aria-hidden />}
        {showInvisible(entry.fold.title) || 'Part'}
      </button>
    )
  }
  if (entry.fold) return <span className={styles['text']} />
  return (
    <span className={styles['text']}>
      {readLine(entry.line).map((piece, at) => (
        // The pieces of a line never change their order.
        <Drawn key={at} piece={piece} needle={needle} />
      ))}
    </span>
  )
}

function Drawn({
  piece: { text, look, href, host },
  needle,
}: {
  readonly piece: Piece
  readonly needle: string
}): ReactNode {
  const shown = marked(showInvisible(text), needle)
  if (href !== undefined) {
    return (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        {shown}
        {host !== undefined && ` (${showInvisible(host)})`}
      </a>
    )
  }
  const { colour, ground, bold, dim, italic, underline, strike } = look
  if (Object.values(look).every((value) => value === undefined)) return shown
  return (
    <span
      data-colour={colour}
      data-ground={ground}
      data-bold={bold}
      data-dim={dim}
      data-italic={italic}
      data-underline={underline}
      data-strike={strike}
    >
      {shown}
    </span>
  )
}

/** The text with what was searched for marked, in any case. */
function marked(text: string, needle: string): ReactNode {
  if (needle === '') return text
  const [low, wanted] = [text.toLowerCase(), needle.toLowerCase()]
  // Some letters change their length with their case: then nothing is marked.
  if (low.length !== text.length || !low.includes(wanted)) return text
  const parts: ReactNode[] = []
  let end = 0
  for (let at = low.indexOf(wanted); at >= 0; at = low.indexOf(wanted, end)) {
    parts.push(text.slice(end, at), <mark key={at}>{text.slice(at, at + wanted.length)}</mark>)
    end = at + wanted.length
  }
  return [...parts, text.slice(end)]
}
