import { Button, type ButtonProps, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { FormDialog } from './form-dialog.tsx'

interface ConfirmButtonProps extends ButtonProps {
  readonly children: ReactNode
  /** The question, such as "Revoke the token laptop?". */
  readonly question: string
  /** What is lost by it. */
  readonly loss: string
  /** The word on the button that does it. */
  readonly deed: string
  readonly onConfirm: () => Promise<unknown>
}

/** A button for what cannot be undone: it asks first, and the question stays until the server has done it. */
export function ConfirmButton({ question, loss, deed, onConfirm, ...button }: ConfirmButtonProps): ReactNode {
  const [isAsking, setAsking] = useState(false)
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState<Error | null>(null)

  async function confirm(): Promise<void> {
    setSending(true)
    setError(null)
    try {
      await onConfirm()
      setAsking(false)
    } catch (problem) {
      setError(problem instanceof Error ? problem : new Error('It could not be done.'))
    } finally {
      setSending(false)
    }
  }

  return (
    <>
      <Button variant="default" {...button} onClick={() => setAsking(true)} />
      <FormDialog
        title={question}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onSubmit={() => void confirm()}
        action={deed}
        isSending={isSending}
        error={error}
        isDangerous
      >
        <Text>{loss}</Text>
      </FormDialog>
    </>
  )
}
