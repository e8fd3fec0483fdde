import { Alert, Button, Group, Skeleton, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { ReadyButton } from '../../../components/index.ts'
import type { Stored } from '../pipeline.ts'
import { Merge } from './merge.tsx'

interface SaveConflictProps {
  readonly mine: string
  /** What is stored now; undefined while it is read. */
  readonly theirs: Stored | undefined
  readonly onKeep: (merged: string, theirs: Stored) => void
  readonly onTakeTheirs: (theirs: Stored) => void
}

/** A newer version was met at save: both are shown change by change, and the person chooses. */
export function SaveConflict({ mine, theirs, onKeep, onTakeTheirs }: SaveConflictProps): ReactNode {
  const [merged, setMerged] = useState(mine)
  if (!theirs) return <Skeleton height="20rem" />
  const { version, saved_by, document } = theirs.pipeline
  return (
    <>
      <Alert
        color="caution"
        variant="light"
        role="alert"
        mb="md"
        title={`Version ${version} was saved meanwhile, by ${saved_by}`}
      >
        <Text size="sm">
          Your text is shown with what differs from version {version}: green lines are yours, red ones theirs. Take over
          what you want of theirs, and change what you like. Nothing is lost until you choose.
        </Text>
      </Alert>
      <Merge label="Your text beside the saved one" original={document} text={merged} onChange={setMerged} />
      <Group gap="sm" mt="md">
        <ReadyButton onClick={() => onKeep(merged, theirs)}>Save this as version {version + 1}</ReadyButton>
        <Button variant="default" onClick={() => onTakeTheirs(theirs)}>
          Drop mine, show version {version}
        </Button>
      </Group>
    </>
  )
}
