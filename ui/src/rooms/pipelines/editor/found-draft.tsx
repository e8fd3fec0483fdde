import { Alert, Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Instant } from '../../../components/index.ts'
import type { Draft } from '../drafts/drafts.ts'

interface FoundDraftProps {
  readonly draft: Draft | undefined
  /** The version that is stored now; absent: a new pipeline. */
  readonly version?: number
  readonly onTakeUp: (draft: Draft) => void
  readonly onGiveUp: () => void
}

/** Offers the unsaved work of an earlier visit. */
export function FoundDraft({ draft, version, onTakeUp, onGiveUp }: FoundDraftProps): ReactNode {
  if (!draft) return null
  const isOld = draft.version !== null && version !== undefined && draft.version !== version
  return (
    <Alert color="note" variant="light" mb="md" title="You have unsaved work here">
      <Text size="sm">
        You left it <Instant at={draft.at} />.
        {isOld &&
          ` It began with version ${draft.version}; now version ${version} is stored. A save shows both, and you choose.`}
      </Text>
      <Group gap="sm" mt="sm">
        <Button variant="default" onClick={() => onTakeUp(draft)}>
          Go on with it
        </Button>
        <Button variant="default" onClick={onGiveUp}>
          Drop it
        </Button>
      </Group>
    </Alert>
  )
}
