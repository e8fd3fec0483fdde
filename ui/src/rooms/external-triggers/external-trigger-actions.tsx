import { Modal, Text } from '@mantine/core'
import { externalTriggerRoutes } from '@signalbox/contracts/external-triggers/routes'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useWrite } from '../../client/index.ts'
import { AllowedButton, CopyAs, FormDialog, ProblemNotice } from '../../components/index.ts'
import type { ExternalTrigger } from './external-trigger.ts'
import { FireDialog } from './fire-dialog.tsx'
import { ShownSecret } from './shown-secret.tsx'

const CHANGES = [externalTriggerRoutes.getExternalTrigger, externalTriggerRoutes.listExternalTriggers]

interface ExternalTriggerActionsProps {
  readonly trigger: ExternalTrigger
  readonly etag: string | undefined
}

/** Fire, new secret, enable or disable, delete. */
export function ExternalTriggerActions({ trigger, etag }: ExternalTriggerActionsProps): ReactNode {
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'fire' | 'rotate' | 'delete'>()
  const close = (): void => setDialog(undefined)
  const params = { id: trigger.id }
  const change = useWrite(externalTriggerRoutes.updateExternalTrigger, { changes: CHANGES })
  const rotate = useWrite(externalTriggerRoutes.rotateExternalTrigger, { changes: CHANGES, onDone: close })
  const remove = useWrite(externalTriggerRoutes.deleteExternalTrigger, {
    changes: [externalTriggerRoutes.listExternalTriggers],
    onDone: () => void navigate({ to: '/t/$team/external-triggers', params: { team: trigger.team_path } }),
  })
  const right = { permission: 'external_trigger.write', at: trigger.team_path, variant: 'default' } as const
  return (
    <>
      <AllowedButton
        permission="run.start"
        at={trigger.pipeline.slice(0, trigger.pipeline.lastIndexOf('/'))}
        obstacle={trigger.enabled ? undefined : 'It is disabled. Enable it first.'}
        onClick={() => setDialog('fire')}
      >
        Fire it now
      </AllowedButton>
      <AllowedButton {...right} onClick={() => setDialog('rotate')}>
        New secret
      </AllowedButton>
      <AllowedButton
        {...right}
        loading={change.isPending}
        onClick={() => change.mutate({ params, body: { enabled: !trigger.enabled }, ifMatch: etag })}
      >
        {trigger.enabled ? 'Disable' : 'Enable'}
      </AllowedButton>
      <AllowedButton {...right} onClick={() => setDialog('delete')}>
        Delete
      </AllowedButton>
      <CopyAs path={`/v1/external-triggers/${trigger.id}`} command={['external-trigger', 'show', trigger.identifier]} />
      <ProblemNotice error={change.error} />
      {dialog === 'fire' && <FireDialog trigger={trigger} onClose={close} />}
      <FormDialog
        title={`A new secret for ${trigger.identifier}?`}
        isOpen={dialog === 'rotate'}
        onClose={close}
        onSubmit={() => rotate.mutate({ params, ifMatch: etag })}
        action="Create it"
        isDangerous
        isSending={rotate.isPending}
        error={rotate.error}
      >
        <Text>The old secret ends at once: its senders are refused until they have the new one.</Text>
      </FormDialog>
      {/* A press beside it closes nothing: the secret would be gone. */}
      <Modal
        opened={rotate.isSuccess}
        onClose={() => rotate.reset()}
        title="The new secret"
        size="lg"
        closeOnClickOutside={false}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {rotate.data && <ShownSecret made={rotate.data} />}
      </Modal>
      <FormDialog
        title={`Delete ${trigger.identifier}?`}
        isOpen={dialog === 'delete'}
        onClose={close}
        onSubmit={() => remove.mutate({ params, ifMatch: etag })}
        action="Delete"
        isDangerous
        isSending={remove.isPending}
        error={remove.error}
      >
        <Text>Its secret ends for good. Runs that it started go on.</Text>
      </FormDialog>
    </>
  )
}
