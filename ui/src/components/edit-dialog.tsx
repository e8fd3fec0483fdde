import type { ReactNode } from 'react'
import type { Edited } from '../client/edited.ts'
import { isConflict } from '../client/queries.ts'
import { ConflictNotice } from './conflict-notice.tsx'
import { FormDialog } from './form-dialog.tsx'

interface EditDialogProps {
  readonly title: string
  readonly edited: Omit<Edited<unknown>, 'setDraft'>
  /** Fields that the form marks itself. */
  readonly marked: readonly string[]
  /** The verb of the button. */
  readonly action?: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** The form of a document in a dialog: a newer version that is met at save is shown as a choice. */
export function EditDialog({ title, edited, marked, action = 'Save', onClose, children }: EditDialogProps): ReactNode {
  const { error, isChanged } = edited
  const isMet = isConflict(error)
  const toDo = isMet ? 'Choose first which version stays.' : 'Nothing is changed.'
  return (
    <FormDialog
      title={title}
      isOpen
      onClose={onClose}
      onSubmit={edited.save}
      action={action}
      obstacle={isMet || !isChanged ? toDo : undefined}
      isSending={edited.isSaving}
      error={isMet ? null : error}
      marked={marked}
    >
      {children}
      <ConflictNotice
        error={error}
        mine={edited.mine}
        theirs={edited.theirs}
        onTakeTheirs={edited.takeTheirs}
        onKeepMine={edited.keepMine}
      />
    </FormDialog>
  )
}
