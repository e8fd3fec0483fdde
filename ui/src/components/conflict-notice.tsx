import { Alert, Button, Code, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ApiProblem } from '../client/problem.ts'
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

/** Whether a write failed because the document was changed after the person began. */
export function isConflict(error: Error | null): boolean {
  return error instanceof ApiProblem && error.code === 'version_conflict'
}

/** A newer version was met at save: both are shown, and the person chooses. */
export function ConflictNotice({ error, mine, theirs, onTakeTheirs, onKeepMine }: ConflictNoticeProps): ReactNode {
  if (!isConflict(error)) return null
  return (
    <Alert color="caution" variant="light" role="alert" title="Somebody saved a newer version meanwhile">
      <div className={styles['versions']}>
        <figure>
          <figcaption>Yours</figcaption>
          <Code block>{mine}</Code>
        </figure>
        <figure>
          <figcaption>Saved now</figcaption>
          <Code block>{theirs ?? 'Reading it …'}</Code>
        </figure>
      </div>
      <Group gap="sm" mt="sm">
        <Button variant="default" onClick={onTakeTheirs}>
          Show the saved one
        </Button>
        <Button variant="default" onClick={onKeepMine}>
          Save mine over it
        </Button>
        <Text size="sm" c="dimmed">
          Nothing is lost until you choose.
        </Text>
      </Group>
    </Alert>
  )
}
