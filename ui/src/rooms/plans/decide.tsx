import { Group } from '@mantine/core'
import { auditRoutes } from '@signalbox/contracts/audit/routes'
import { planRoutes } from '@signalbox/contracts/plans/routes'
import { runRoutes } from '@signalbox/contracts/runs/routes'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { invalidate, useWrite } from '../../client/index.ts'
import { useMe } from '../../client/session.ts'
import { FormDialog, fieldError, GrowingText, ProblemNotice, ReadyButton, Section } from '../../components/index.ts'
import { actionWords, type Plan } from './plan.ts'

const CHANGES = [planRoutes.getPlan, planRoutes.listPlans, runRoutes.listRuns, auditRoutes.listAuditRecords]

interface DecideProps {
  readonly plan: Plan
  readonly isOpen: boolean
}

/** Approves or refuses the plan of somebody else, confirms or withdraws an own one, or says why one may not. */
export function Decide({ plan, isOpen }: DecideProps): ReactNode {
  const { id, action, target } = plan
  const client = useQueryClient()
  const me = useMe()
  const [isRefusing, setRefusing] = useState(false)
  // What was refused may have changed meanwhile: how it stands now is read again.
  const onError = (): void => void invalidate(client, CHANGES)
  const approve = useWrite(planRoutes.approvePlan, { changes: CHANGES })
  const confirm = useWrite(planRoutes.confirmPlan, { changes: CHANGES })
  const problem = approve.error ?? confirm.error
  if (!isOpen) return <ProblemNotice error={problem} />
  const isOwn = me !== undefined && me.kind === plan.planned_by.kind && me.id === plan.planned_by.id
  const refusing = isOwn ? 'Withdraw' : 'Refuse'
  return (
    <Section title="Decide">
      <p>{sentenceOf(plan)}</p>
      <ProblemNotice error={problem} />
      <Group gap="sm">
        {plan.may_confirm && !plan.may_approve ? (
          <ReadyButton
            loading={confirm.isPending}
            onClick={() => confirm.mutate({ params: { id }, body: { action, target } }, { onError })}
          >
            Confirm: {actionWords(action)}
          </ReadyButton>
        ) : (
          <ReadyButton
            loading={approve.isPending}
            obstacle={plan.may_approve ? undefined : sentenceOf(plan)}
            onClick={() => approve.mutate({ params: { id } }, { onError })}
          >
            Approve: {actionWords(action)}
          </ReadyButton>
        )}
        <ReadyButton
          variant="default"
          obstacle={plan.may_approve || isOwn ? undefined : sentenceOf(plan)}
          onClick={() => setRefusing(true)}
        >
          {refusing}
        </ReadyButton>
      </Group>
      {isRefusing && <RefuseDialog plan={plan} verb={refusing} onClose={() => setRefusing(false)} />}
    </Section>
  )
}

function sentenceOf({ may_approve, may_confirm, status }: Plan): string {
  if (may_approve) return 'Approve it, and it is done at once, in the name of who planned it and with yours beside it.'
  if (may_confirm) return 'You planned it. Confirm it, and it is done or goes on to another person.'
  return status === 'waiting'
    ? 'Whoever planned it confirms it, with the same token.'
    : 'Another person who may do the same decides: nobody decides on a plan of their own.'
}

interface RefuseDialogProps {
  readonly plan: Plan
  readonly verb: string
  readonly onClose: () => void
}

function RefuseDialog({ plan, verb, onClose }: RefuseDialogProps): ReactNode {
  const [reason, setReason] = useState('')
  const client = useQueryClient()
  const refuse = useWrite(planRoutes.refusePlan, { changes: CHANGES, onDone: onClose })
  return (
    <FormDialog
      title={`${verb}: ${actionWords(plan.action)}?`}
      isOpen
      onClose={onClose}
      onSubmit={() =>
        refuse.mutate(
          { params: { id: plan.id }, body: reason === '' ? {} : { reason } },
          { onError: () => void invalidate(client, CHANGES) },
        )
      }
      action={`${verb} it`}
      isSending={refuse.isPending}
      error={refuse.error}
      marked={['reason']}
      isDangerous
    >
      <GrowingText
        label="Reason"
        description="Whoever planned it reads this; so may their agent."
        least={2}
        maxLength={500}
        value={reason}
        error={fieldError(refuse.error, 'reason')}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
    </FormDialog>
  )
}
