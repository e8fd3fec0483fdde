import { Alert, Button, Code, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyButton } from '../../components/index.ts'

export interface MadeToken {
  readonly name: string
  readonly token: string
}

/** A token in the only moment in which it can be seen. */
export function ShownToken({ made, onDone }: { readonly made: MadeToken; readonly onDone: () => void }): ReactNode {
  return (
    <Alert color="good" variant="light" role="alert" title={`The token ${made.name}`}>
      <Text>Copy it now: it is never shown again.</Text>
      <Code block tabIndex={0} my="sm" aria-label="The token">
        {made.token}
      </Code>
      <Group gap="sm">
        <CopyButton text={made.token} label="Copy the token" />
        <Button variant="default" onClick={onDone}>
          I have it
        </Button>
      </Group>
    </Alert>
  )
}
