import { type ReactNode, useState } from 'react'
import { AllowedButton, PageButton } from '../../components/index.ts'
import { CancelDialog } from './act/cancel-dialog.tsx'
import { RerunDialog } from './act/rerun-dialog.tsx'
import type { Run } from './run.ts'

/** What one may do with a run: cancel it while it goes on, repeat it after its end, compare it. */
export function RunActions({ run }: { readonly run: Run }): ReactNode {
  const [dialog, setDialog] = useState<'cancel' | 'rerun'>()
  const isOver = run.finished_at !== null
  const close = (): void => setDialog(undefined)
  return (
    <>
      <PageButton variant="default" to="/runs/$id/compare" params={{ id: run.run_id }}>
        Compare
      </PageButton>
      {isOver ? (
        <AllowedButton permission="run.rerun" at={run.team_path} onClick={() => setDialog('rerun')}>
          Run again…
        </AllowedButton>
      ) : (
        <AllowedButton
          variant="default"
          permission="run.cancel"
          at={run.team_path}
          obstacle={run.cancel_requested_at === null ? undefined : 'It is being canceled already.'}
          onClick={() => setDialog('cancel')}
        >
          Cancel…
        </AllowedButton>
      )}
      {dialog === 'cancel' && <CancelDialog run={run} isOpen onClose={close} />}
      {dialog === 'rerun' && <RerunDialog run={run} isOpen onClose={close} />}
    </>
  )
}
