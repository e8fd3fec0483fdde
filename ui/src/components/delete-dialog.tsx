import { Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { isConflict } from '../client/queries.ts'
import { ChangedNotice } from './changed-notice.tsx'
import { FormDialog } from './form-dialog.tsx'

interface DeleteDialogProps {
  /** The question, such as "Delete acme/web?". */
  readonly title: string
  /** What is lost by it. */
  readonly loss: string
  readonly action?: string
  /** What is deleted, as it is now, and its ETag. */
  readonly stored: object
  readonly etag: string | undefined
  readonly write: { readonly isPending: boolean; readonly error: Error | null }
  /** Deletes what has this ETag, and no newer version. */
  readonly onDelete: (ifMatch: string | undefined) => void
  readonly onClose: () => void
}

/** Asks before something is deleted: what the person saw, or what was shown to them as changed meanwhile. */
export function DeleteDialog(props: DeleteDialogProps): ReactNode {
  const { title, loss, action = 'Delete', stored, etag, write, onDelete, onClose } = props
  const [seen] = useState({ stored, etag })
  const isMet = isConflict(write.error)
  return (
    <FormDialog
      title={title}
      isOpen
      onClose={onClose}
      onSubmit={() => onDelete(isMet ? etag : seen.etag)}
      action={action}
      isDangerous
      isSending={write.isPending}
      error={isMet ? null : write.error}
    >
      <Text>{loss}</Text>
      <ChangedNotice error={write.error} seen={seen.stored} now={stored} />
    </FormDialog>
  )
}
