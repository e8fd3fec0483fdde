import { Alert, Code, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'

interface ShownOnceProps {
  readonly label: string
  readonly secret: string
  readonly children?: ReactNode
}

/** A secret that the server tells once: to copy now. It lives in the component alone, and goes with it. */
export function ShownOnce({ label, secret, children }: ShownOnceProps): ReactNode {
  return (
    <Alert color="caution" variant="light" title={label}>
      <Text size="sm">It is shown this once. Copy it now.</Text>
      <Code block tabIndex={0}>
        {secret}
      </Code>
      {children}
      <CopyButton text={secret} label="Copy" />
    </Alert>
  )
}
