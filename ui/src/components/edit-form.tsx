import { Button, Group, Stack, Text } from '@mantine/core'
import type { Permission } from '@signalbox/contracts/access'
import type { ReactNode } from 'react'
import type { Edited } from '../client/edited.ts'
import { isConflict } from '../client/queries.ts'
import { AllowedButton } from './allowed.tsx'
import { ConflictNotice } from './conflict-notice.tsx'
import { ProblemNotice } from './problem-notice.tsx'

interface EditFormProps {
  readonly edited: Omit<Edited<unknown>, 'setDraft'>
  /** Fields that the form marks itself. */
  readonly marked: readonly string[]
  readonly permission: Permission
  /** Path of the team that the permission is asked at; undefined while the form does not say it. */
  readonly at: string | undefined
  /** The verb of the button. */
  readonly action?: string
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** The form of a document: its fields, what stands against a save, and the button that saves. */
export function EditForm({
  edited,
  marked,
  permission,
  at,
  action = 'Save',
  className,
  children,
}: EditFormProps): ReactNode {
  const { error, isChanged, isSaved, isSaving } = edited
  return (
    <form
      className={className}
      onSubmit={(event) => {
        event.preventDefault()
        if (isChanged && !isSaving) edited.save()
      }}
    >
      <Stack gap="md">
        {children}
        <ConflictNotice
          error={error}
          mine={edited.mine}
          theirs={edited.theirs}
          onTakeTheirs={edited.takeTheirs}
          onKeepMine={edited.keepMine}
        />
        {!isConflict(error) && <ProblemNotice error={error} marked={marked} />}
        <Group gap="sm">
          <AllowedButton
            type="submit"
            permission={permission}
            at={at}
            obstacle={isChanged ? undefined : 'Nothing is changed.'}
            loading={isSaving}
          >
            {action}
          </AllowedButton>
          {isChanged && (
            <Button variant="default" onClick={edited.undo}>
              Undo the changes
            </Button>
          )}
          <Text size="sm" component="output">
            {isSaved ? 'Saved.' : ''}
          </Text>
        </Group>
      </Stack>
    </form>
  )
}
