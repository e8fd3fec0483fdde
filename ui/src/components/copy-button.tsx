import { Button } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { copyText } from './copy-text.ts'

interface CopyButtonProps {
  readonly text: string
  readonly label: string
  readonly isCompact?: boolean
}

const SHOWN_MS = 2000

/** Copies a text, and says whether that worked. */
export function CopyButton({ text, label, isCompact = false }: CopyButtonProps): ReactNode {
  const [outcome, setOutcome] = useState<'copied' | 'failed'>()
  useEffect(() => {
    if (outcome === undefined) return undefined
    const timer = setTimeout(() => setOutcome(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [outcome])
  const words = { copied: 'Copied', failed: 'The browser refuses to copy: select the text' } as const
  return (
    <Button
      variant={isCompact ? 'subtle' : 'default'}
      color="gray"
      leftSection={outcome === 'copied' ? <IconCheck size="1em" aria-hidden /> : <IconCopy size="1em" aria-hidden />}
      onClick={async () => setOutcome((await copyText(text)) ? 'copied' : 'failed')}
    >
      <span aria-live="polite">{outcome === undefined ? label : words[outcome]}</span>
    </Button>
  )
}
