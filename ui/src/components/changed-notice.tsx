import { Alert, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { isConflict } from '../client/queries.ts'
import { changesBetween } from './changes-between.ts'
import { ForeignText } from './foreign-text.tsx'

interface ChangedNoticeProps {
  /** The failure of the write. */
  readonly error: Error | null
  /** As the person saw it, and as it is now. */
  readonly seen: object
  readonly now: object
}

/** What somebody changed meanwhile is about to be deleted or replaced: it says what, and one presses once more. */
export function ChangedNotice({ error, seen, now }: ChangedNoticeProps): ReactNode {
  if (!isConflict(error)) return null
  const changes = changesBetween(seen, now)
  return (
    <Alert color="caution" variant="light" role="alert" title="Somebody changed it meanwhile">
      {changes.length > 0 && (
        <ul>
          {changes.map(({ field, before, after }) => (
            <li key={field}>
              <strong>{field.replaceAll('_', ' ')}</strong> was <ForeignText>{before}</ForeignText>, and is now{' '}
              <ForeignText>{after}</ForeignText>
            </li>
          ))}
        </ul>
      )}
      <Text size="sm">Nothing was done. Press once more to do it all the same.</Text>
    </Alert>
  )
}
