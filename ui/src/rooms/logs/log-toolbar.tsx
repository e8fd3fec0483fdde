import { ActionIcon, Button, Checkbox, TextInput } from '@mantine/core'
import {
  IconArrowBarToDown,
  IconArrowBarToUp,
  IconChevronDown,
  IconChevronUp,
  IconDownload,
  IconMaximize,
  IconMinimize,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './log-view.module.css'
import { MOST_HITS } from './search-log.ts'
import type { LogSearch } from './use-log-search.ts'

export interface LogOptions {
  readonly wraps: boolean
  readonly showsTime: boolean
  readonly isExpression: boolean
  readonly isFull: boolean
}

interface LogToolbarProps {
  readonly text: string
  readonly onText: (text: string) => void
  readonly search: LogSearch
  /** Which of the hits; -1: none yet. */
  readonly current: number
  readonly onStep: (by: 1 | -1) => void
  readonly options: LogOptions
  readonly onOptions: (options: LogOptions) => void
  readonly onTop: () => void
  readonly onEnd: () => void
  readonly download: string
  /** Copies the chosen lines; undefined: none is chosen. */
  readonly onCopy: (() => void) | undefined
}

export function LogToolbar(props: LogToolbarProps): ReactNode {
  const { text, onText, search, current, onStep, options, onOptions, onTop, onEnd, download, onCopy } = props
  const { wraps, showsTime, isExpression, isFull } = options
  const hasNone = search.hits.length === 0
  return (
    <div className={styles['toolbar']} role="toolbar" aria-label="Log">
      <TextInput
        size="xs"
        aria-label="Search the log"
        placeholder="Search the whole log"
        value={text}
        error={search.error?.message}
        onChange={({ currentTarget }) => onText(currentTarget.value)}
        onKeyDown={({ key, shiftKey }) => key === 'Enter' && onStep(shiftKey ? -1 : 1)}
      />
      <Checkbox
        size="xs"
        label="Expression"
        checked={isExpression}
        onChange={({ currentTarget }) => onOptions({ ...options, isExpression: currentTarget.checked })}
      />
      <ActionIcon aria-label="Previous hit" disabled={hasNone} onClick={() => onStep(-1)}>
        <IconChevronUp size="1em" aria-hidden />
      </ActionIcon>
      <ActionIcon aria-label="Next hit" disabled={hasNone} onClick={() => onStep(1)}>
        <IconChevronDown size="1em" aria-hidden />
      </ActionIcon>
      <output className={styles['quiet']}>{text !== '' && describe(search, current)}</output>
      <span className={styles['space']} />
      <Checkbox
        size="xs"
        label="Wrap"
        checked={wraps}
        onChange={({ currentTarget }) => onOptions({ ...options, wraps: currentTarget.checked })}
      />
      <Checkbox
        size="xs"
        label="Times"
        checked={showsTime}
        onChange={({ currentTarget }) => onOptions({ ...options, showsTime: currentTarget.checked })}
      />
      <Button variant="default" disabled={!onCopy} onClick={onCopy}>
        Copy lines
      </Button>
      <ActionIcon aria-label="First line" onClick={onTop}>
        <IconArrowBarToUp size="1em" aria-hidden />
      </ActionIcon>
      <ActionIcon aria-label="Last line" onClick={onEnd}>
        <IconArrowBarToDown size="1em" aria-hidden />
      </ActionIcon>
      <ActionIcon component="a" href={download} download aria-label="Download">
        <IconDownload size="1em" aria-hidden />
      </ActionIcon>
      <ActionIcon
        aria-label={isFull ? 'Leave full screen' : 'Full screen'}
        onClick={() => onOptions({ ...options, isFull: !isFull })}
      >
        {isFull ? <IconMinimize size="1em" aria-hidden /> : <IconMaximize size="1em" aria-hidden />}
      </ActionIcon>
    </div>
  )
}

function describe({ hits, isDone }: LogSearch, current: number): string {
  const count = `${hits.length.toLocaleString('en')}${hits.length >= MOST_HITS ? ' or more' : isDone ? '' : '…'}`
  if (hits.length === 0) return isDone ? 'Nothing found' : 'Searching…'
  return current < 0 ? `${count} found` : `${current + 1} of ${count}`
}
