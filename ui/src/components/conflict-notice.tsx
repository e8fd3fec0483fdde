import { Alert, Button, Code, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { isConflict } from '../client/queries.ts'
import { ReadyButton } from './allowed.tsx'
import styles from './conflict-notice.module.css'

interface ConflictNoticeProps {
  /** The failure of the write. */
  readonly error: Error | null
  /** What the person wants to save, and what is stored now; undefined while it is read. */
  readonly mine: string
  readonly theirs: string | undefined
  /** Forgets what was typed, and shows what is stored. */
  readonly onTakeTheirs: () => void
  /** Saves over what is stored now. */
  readonly onKeepMine: () => void
}

/** A newer version was met at save: both are shown, and the person chooses. */
export function ConflictNotice({ error, mine, theirs, onTakeTheirs, onKeepMine }: ConflictNoticeProps): ReactNode {
  if (!isConflict(error)) return null
  return (
    <Alert color="caution" variant="light" role="alert" title="Somebody saved a newer version meanwhile">
      <div className={styles['versions']}>
        <figure>
          <figcaption>Yours</figcaption>
          <Code block tabIndex={0}>
            {mine}
          </Code>
        </figure>
        <figure>
          <figcaption>Saved now</figcaption>
          <Code block tabIndex={0}>
            {theirs ?? 'Reading it …'}
          </Code>
        </figure>
      </div>
      <Group gap="sm" mt="sm">
        <Button variant="default" onClick={onTakeTheirs}>
          Show the saved one
        </Button>
        <ReadyButton variant="default" onClick={onKeepMine}>
          Save mine over it
        </ReadyButton>
        <Text size="sm" c="dimmed">
          Nothing is lost until you choose.
        </Text>
      </Group>
    </Alert>
  )
}
