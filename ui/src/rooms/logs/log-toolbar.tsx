import { ActionIcon, Checkbox, Menu, TextInput } from '@mantine/core'
import {
  IconAdjustmentsHorizontal,
  IconArrowBarToDown,
  IconArrowBarToUp,
  IconChevronDown,
  IconChevronUp,
  IconDownload,
  IconMaximize,
  IconMinimize,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { CopyButton } from '../../components/index.ts'
import { MOST_COPIED } from './log-session.ts'
import styles from './log-view.module.css'
import { MOST_HITS } from './search-log.ts'
import type { LogOptions } from './use-log-options.ts'
import type { LogSearch } from './use-log-search.ts'

export interface SearchText {
  readonly text: string
  readonly isExpression: boolean
}

interface LogToolbarProps {
  readonly wish: SearchText
  readonly onWish: (wish: SearchText) => void
  readonly search: LogSearch
  /** Which of the hits; -1: none yet. */
  readonly current: number
  readonly onStep: (by: 1 | -1) => void
  readonly options: LogOptions
  readonly onOptions: (some: Partial<LogOptions>) => void
  readonly isFull: boolean
  readonly onFull: (isFull: boolean) => void
  readonly onTop: () => void
  readonly onEnd: () => void
  readonly download: string
  /** The chosen lines; undefined: none is chosen. */
  readonly copy: { readonly lines: number; readonly read: () => Promise<string> } | undefined
}

export function LogToolbar(props: LogToolbarProps): ReactNode {
  const { wish, onWish, search, current, onStep, options, onOptions, isFull, onFull, onTop, onEnd, download, copy } =
    props
  const { text, isExpression } = wish
  const hasNone = search.hits.length === 0
  return (
    <div className={styles['toolbar']} role="toolbar" aria-label="Log">
      <TextInput
        size="xs"
        className={styles['search'] ?? ''}
        aria-label="Search the log"
        placeholder="Search the whole log"
        value={text}
        error={search.error?.message}
        onChange={({ currentTarget }) => onWish({ ...wish, text: currentTarget.value })}
        onKeyDown={({ key, shiftKey }) => key === 'Enter' && onStep(shiftKey ? -1 : 1)}
      />
      <Checkbox
        size="xs"
        label="Expression"
        checked={isExpression}
        onChange={({ currentTarget }) => onWish({ ...wish, isExpression: currentTarget.checked })}
      />
      <ActionIcon aria-label="Previous hit" disabled={hasNone} onClick={() => onStep(-1)}>
        <IconChevronUp size="1em" aria-hidden />
      </ActionIcon>
      <ActionIcon aria-label="Next hit" disabled={hasNone} onClick={() => onStep(1)}>
        <IconChevronDown size="1em" aria-hidden />
      </ActionIcon>
      <output className={styles['quiet']}>{text !== '' && describe(search, current)}</output>
      <span className={styles['space']} />
      <LookOfLines options={options} onOptions={onOptions} />
      <CopyButton text={copy?.read ?? ''} disabled={!copy} label={labelOfCopy(copy?.lines)} />
      <ActionIcon aria-label="First line" onClick={onTop}>
        <IconArrowBarToUp size="1em" aria-hidden />
      </ActionIcon>
      <ActionIcon aria-label="Last line" onClick={onEnd}>
        <IconArrowBarToDown size="1em" aria-hidden />
      </ActionIcon>
      <ActionIcon component="a" href={download} download aria-label="Download">
        <IconDownload size="1em" aria-hidden />
      </ActionIcon>
      <ActionIcon aria-label={isFull ? 'Leave full screen' : 'Full screen'} onClick={() => onFull(!isFull)}>
        {isFull ? <IconMinimize size="1em" aria-hidden /> : <IconMaximize size="1em" aria-hidden />}
      </ActionIcon>
    </div>
  )
}

/** How the lines are drawn. */
function LookOfLines({ options, onOptions }: Pick<LogToolbarProps, 'options' | 'onOptions'>): ReactNode {
  const { wraps, showsTime, showsNumber } = options
  return (
    <Menu position="bottom-start" closeOnItemClick={false}>
      <Menu.Target>
        <ActionIcon aria-label="Look of the lines" title="Look of the lines">
          <IconAdjustmentsHorizontal size="1em" aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.CheckboxItem checked={wraps} onChange={(checked) => onOptions({ wraps: checked })}>
          Wrap long lines
        </Menu.CheckboxItem>
        <Menu.CheckboxItem checked={showsTime} onChange={(checked) => onOptions({ showsTime: checked })}>
          Times
        </Menu.CheckboxItem>
        <Menu.CheckboxItem checked={showsNumber} onChange={(checked) => onOptions({ showsNumber: checked })}>
          Numbers
        </Menu.CheckboxItem>
      </Menu.Dropdown>
    </Menu>
  )
}

function labelOfCopy(lines = 0): string {
  if (lines > MOST_COPIED) return `Copy the first ${MOST_COPIED.toLocaleString('en')} of the lines`
  return lines === 1 ? 'Copy the line' : lines > 1 ? `Copy ${lines.toLocaleString('en')} lines` : 'Copy lines'
}

function describe({ hits, isDone }: LogSearch, current: number): string {
  const count = `${hits.length.toLocaleString('en')}${hits.length >= MOST_HITS ? ' or more' : isDone ? '' : '…'}`
  if (hits.length === 0) return isDone ? 'Nothing found' : 'Searching…'
  return current < 0 ? `${count} found` : `${current + 1} of ${count}`
}
