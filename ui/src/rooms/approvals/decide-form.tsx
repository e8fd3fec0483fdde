import { Group, Select, Stack, Switch, TextInput } from '@mantine/core'
import { approvalRoutes } from '@signalbox/contracts/approvals/routes'
import { runRoutes } from '@signalbox/contracts/runs/routes'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useWrite } from '../../client/index.ts'
import { useMayDo } from '../../client/session.ts'
import {
  AllowedButton,
  ForeignText,
  fieldError,
  GrowingText,
  ProblemNotice,
  showInvisible,
} from '../../components/index.ts'
import { answersOf, firstAnswers, missingFields } from './answers.ts'
import type { ApprovalField, ApprovalRequest } from './approval-request.ts'
import styles from './approvals.module.css'

interface DecideFormProps {
  readonly request: Pick<ApprovalRequest, 'run_id' | 'step' | 'team_path' | 'fields' | 'commit_sha' | 'refusal'>
  /** Needed besides being asked. */
  readonly permission: 'run.read' | 'run.approve'
}

/** Approves or rejects, with the fields that are asked for, for the commit that is shown; or says who else does. */
export function DecideForm({ request, permission }: DecideFormProps): ReactNode {
  const [answers, setAnswers] = useState(() => firstAnswers(request.fields))
  const [comment, setComment] = useState('')
  const [isMarked, setMarked] = useState(false)
  const decide = useWrite(approvalRoutes.decideApproval, { changes: [runRoutes.getRun, approvalRoutes.listApprovals] })
  const mayDo = useMayDo()
  const right = { permission, at: request.team_path, obstacle: request.refusal ?? undefined }
  const isAllowed = request.refusal === null && mayDo(permission, request.team_path)
  const missing = missingFields(request.fields, answers)

  function send(decision: 'approve' | 'reject'): void {
    setMarked(decision === 'approve')
    if (decision === 'approve' && missing.length > 0) return
    decide.mutate({
      params: { id: request.run_id, step: request.step },
      body: {
        decision,
        ...(comment === '' ? {} : { comment }),
        ...(decision === 'approve' && request.fields.length > 0 ? { fields: answersOf(answers) } : {}),
        ...(request.commit_sha === null ? {} : { commit_sha: request.commit_sha }),
      },
    })
  }

  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    send('approve')
  }

  return (
    <form className={styles['form']} aria-label={`Decide ${showInvisible(request.step)}`} onSubmit={onSubmit}>
      <Stack gap="md">
        {isAllowed && (
          <>
            {request.fields.map((field) => (
              <FieldInput
                key={field.name}
                field={field}
                value={answers[field.name] ?? ''}
                error={
                  isMarked && missing.includes(field.name)
                    ? 'To approve, fill this in.'
                    : fieldError(decide.error, `fields.${field.name}`)
                }
                onChange={(value) => setAnswers({ ...answers, [field.name]: value })}
              />
            ))}
            <GrowingText
              label="Comment"
              least={2}
              maxLength={2000}
              value={comment}
              error={fieldError(decide.error, 'comment')}
              onChange={({ currentTarget }) => setComment(currentTarget.value)}
            />
          </>
        )}
        {request.refusal !== null && (
          <p>
            <ForeignText>{request.refusal}</ForeignText>
          </p>
        )}
        <ProblemNotice
          error={decide.error}
          marked={[...request.fields.map(({ name }) => `fields.${name}`), 'comment']}
        />
        <Group gap="sm">
          <AllowedButton {...right} type="submit" loading={decide.isPending}>
            Approve{request.commit_sha === null ? '' : ` ${request.commit_sha.slice(0, 12)}`}
          </AllowedButton>
          <AllowedButton {...right} variant="default" loading={decide.isPending} onClick={() => send('reject')}>
            Reject
          </AllowedButton>
        </Group>
      </Stack>
    </form>
  )
}

interface FieldInputProps {
  readonly field: ApprovalField
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (value: string) => void
}

function FieldInput({ field, value, error, onChange }: FieldInputProps): ReactNode {
  const common = {
    label: showInvisible(field.name),
    description: field.description === null ? undefined : <ForeignText>{field.description}</ForeignText>,
    error,
    withAsterisk: field.required,
  }
  switch (field.type) {
    case 'boolean':
      return (
        <Switch
          label={common.label}
          description={common.description}
          error={error}
          checked={value === 'true'}
          onChange={({ currentTarget }) => onChange(String(currentTarget.checked))}
        />
      )
    case 'choice':
      return (
        <Select
          {...common}
          data={[...new Set(field.options)]}
          value={value === '' ? null : value}
          onChange={(chosen) => onChange(chosen ?? '')}
        />
      )
    case 'text':
      return <TextInput {...common} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
    default:
      return field.type satisfies never
  }
}
