import { Button, Group, Modal, Stack } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { ReadyButton, useAbsence } from './allowed.tsx'
import { ProblemNotice } from './problem-notice.tsx'

interface FormDialogProps {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onSubmit: () => void
  /** The verb of the button, such as "Create". */
  readonly action: string
  readonly isSending: boolean
  readonly error: Error | null
  /** Fields that the form marks itself. */
  readonly marked?: readonly string[]
  readonly isDangerous?: boolean
  /** Why it cannot be sent yet. */
  readonly obstacle?: string | undefined
  readonly children?: ReactNode
  /** Under the form, with forms of its own, such as one that tries what is typed. */
  readonly below?: ReactNode
}

/** A form in a dialog. It stays open, with all that was typed, until the server has taken it. */
export function FormDialog(props: FormDialogProps): ReactNode {
  const {
    title,
    isOpen,
    onClose,
    onSubmit,
    action,
    isSending,
    error,
    marked = [],
    isDangerous,
    obstacle,
    children,
    below,
  } = props
  const absence = useAbsence()
  function submit(event: FormEvent): void {
    event.preventDefault()
    if ((obstacle ?? absence) === undefined && !isSending) onSubmit()
  }
  return (
    <Modal opened={isOpen} onClose={onClose} title={title} size="lg" closeButtonProps={{ 'aria-label': 'Close' }}>
      <form onSubmit={submit}>
        <Stack gap="md">
          {children}
          <ProblemNotice error={error} marked={marked} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <ReadyButton
              type="submit"
              loading={isSending}
              obstacle={obstacle}
              {...(isDangerous ? { color: 'danger' } : {})}
            >
              {action}
            </ReadyButton>
          </Group>
        </Stack>
      </form>
      {below}
    </Modal>
  )
}
