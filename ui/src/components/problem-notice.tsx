import { Alert, Button, Group, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ApiProblem, isPassing } from '../client/problem.ts'
import { CopyButton } from './copy-button.tsx'
import { toldBeside } from './field-problems.ts'

interface ProblemNoticeProps {
  readonly error: Error | null | undefined
  /** Fields that the form marks itself: they are not repeated here. */
  readonly marked?: readonly string[]
  readonly onRetry?: () => void
}

/** A failure in the server's words, with the request's id to copy. */
export function ProblemNotice({ error, marked = [], onRetry }: ProblemNoticeProps): ReactNode {
  if (!error) return null
  const problem = error instanceof ApiProblem ? error : undefined
  // The dialog to sign in again says so, and nothing is wrong once that is done.
  if (problem?.code === 'unauthenticated') return null
  const { sentence, fields } = toldBeside(error, marked)
  return (
    <Alert color="danger" variant="light" role="alert" icon={<IconAlertTriangle aria-hidden />}>
      <Text>{sentence}</Text>
      {fields.length > 0 && (
        <ul>
          {fields.map(({ field, message }) => (
            <li key={`${field} ${message}`}>
              <strong>{field}</strong> {message}
            </li>
          ))}
        </ul>
      )}
      {problem?.retryAfter !== undefined && <Text>Try again in {problem.retryAfter} s.</Text>}
      <Group gap="sm" mt="xs">
        {onRetry && (
          <Button variant="default" onClick={onRetry}>
            {isPassing(error) ? 'Try again' : 'Load again'}
          </Button>
        )}
        {problem?.requestId !== undefined && (
          <CopyButton text={problem.requestId} label="Copy the request's id" isCompact />
        )}
      </Group>
    </Alert>
  )
}
