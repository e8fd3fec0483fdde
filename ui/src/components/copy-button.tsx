import { Button } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { copyText } from './copy-text.ts'

interface CopyButtonProps {
  /** Or how to read it, where it is not on the page. */
  readonly text: string | (() => Promise<string>)
  readonly label: string
  readonly isCompact?: boolean
  readonly disabled?: boolean
}

const WORDS = {
  copied: 'Copied',
  failed: 'The browser refuses to copy: select the text',
  unread: 'It could not be read: try again',
} as const

const SHOWN_MS = 2000

/** Copies a text, and says whether that worked. */
export function CopyButton({ text, label, isCompact = false, disabled = false }: CopyButtonProps): ReactNode {
  const [outcome, setOutcome] = useState<keyof typeof WORDS>()
  useEffect(() => {
    if (outcome === undefined) return undefined
    const timer = setTimeout(() => setOutcome(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = async (): Promise<keyof typeof WORDS> => {
    try {
      return (await copyText(typeof text === 'string' ? text : await text())) ? 'copied' : 'failed'
    } catch {
      return 'unread'
    }
  }
  return (
    <Button
      variant={isCompact ? 'subtle' : 'default'}
      color="plain"
      disabled={disabled}
      leftSection={outcome === 'copied' ? <IconCheck size="1em" aria-hidden /> : <IconCopy size="1em" aria-hidden />}
      onClick={async () => setOutcome(await copy())}
    >
      <span aria-live="polite">{outcome === undefined ? label : WORDS[outcome]}</span>
    </Button>
  )
}
