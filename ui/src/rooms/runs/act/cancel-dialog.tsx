import { Text } from '@mantine/core'
import { runRoutes } from '@signalbox/contracts/runs/routes'
import { type ReactNode, useState } from 'react'
import { useWrite } from '../../../client/index.ts'
import { FormDialog, fieldError, GrowingText } from '../../../components/index.ts'
import type { RunRow } from '../run.ts'

interface CancelDialogProps {
  readonly run: RunRow
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Cancels a run. It is over once its runners have said so: the page shows that, and not this dialog. */
export function CancelDialog({ run, isOpen, onClose }: CancelDialogProps): ReactNode {
  const [reason, setReason] = useState('')
  const cancel = useWrite(runRoutes.cancelRun, {
    changes: [runRoutes.getRun, runRoutes.getRunStatus, runRoutes.listRuns],
    onDone: onClose,
  })
  return (
    <FormDialog
      title={`Cancel the run of ${run.pipeline}`}
      action="Cancel the run"
      isOpen={isOpen}
      onClose={onClose}
      isDangerous
      isSending={cancel.isPending}
      error={cancel.error}
      marked={['reason']}
      onSubmit={() => {
        const body = reason.trim() === '' ? {} : { reason: reason.trim() }
        cancel.mutate({ params: { id: run.run_id }, body })
      }}
    >
      <Text size="sm">
        {run.status === 'queued'
          ? 'It ends at once: nothing of it has begun.'
          : 'Its tasks are told to stop. The run ends when its runners have confirmed that.'}
      </Text>
      <GrowingText
        label="Reason"
        description="Everybody who sees the run reads it."
        maxLength={500}
        value={reason}
        error={fieldError(cancel.error, 'reason')}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
    </FormDialog>
  )
}
