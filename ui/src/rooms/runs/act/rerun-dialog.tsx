import { Radio, Select, Stack } from '@mantine/core'
import { runRoutes } from '@signalbox/contracts/runs/routes'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useWrite } from '../../../client/index.ts'
import { FormDialog, fieldError } from '../../../components/index.ts'
import type { Run } from '../run.ts'
import { type RerunChoice, rerunBody } from './rerun-input.ts'
import { RerunVariables } from './rerun-variables.tsx'

interface RerunDialogProps {
  readonly run: Run
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Repeats a run, whole or in part, and leads to the new one. */
export function RerunDialog({ run, isOpen, onClose }: RerunDialogProps): ReactNode {
  const navigate = useNavigate()
  const begun = run.steps.filter(({ status }) => status !== 'pending')
  const isFailed = run.status === 'failure' || run.status === 'timed_out' || run.status === 'canceled'
  const [choice, setChoice] = useState<RerunChoice>({
    mode: isFailed && begun.length > 0 ? 'failed' : 'whole',
    step: run.steps.find(({ status }) => status === 'failure')?.name ?? run.steps[0]?.name ?? null,
    document: 'pinned',
    variables: run.variables,
  })
  const rerun = useWrite(runRoutes.rerunRun, {
    changes: [runRoutes.listRuns, runRoutes.listPipelineResults],
    onDone: (started) => {
      onClose()
      if ('run_id' in started) void navigate({ to: '/runs/$id', params: { id: started.run_id } })
    },
  })
  const isChosen = (mode: RerunChoice['mode']): boolean => choice.mode === mode
  return (
    <FormDialog
      title={`Run ${run.pipeline} again`}
      action="Run again"
      isOpen={isOpen}
      onClose={onClose}
      isSending={rerun.isPending}
      error={rerun.error}
      marked={['step', ...Object.keys(choice.variables).map((name) => `variables.${name}`)]}
      onSubmit={() => rerun.mutate({ params: { id: run.run_id }, body: rerunBody(choice, run.variables) })}
    >
      <Radio.Group label="What is done again" value={choice.mode}>
        <Stack gap="xs" mt="xs">
          <Radio
            value="whole"
            label="All of it"
            checked={isChosen('whole')}
            onChange={() => setChoice({ ...choice, mode: 'whole' })}
          />
          <Radio
            value="failed"
            label="What did not succeed, and everything after it"
            checked={isChosen('failed')}
            onChange={() => setChoice({ ...choice, mode: 'failed' })}
          />
          <Radio
            value="step"
            label="A step, and everything after it"
            checked={isChosen('step')}
            onChange={() => setChoice({ ...choice, mode: 'step' })}
          />
        </Stack>
      </Radio.Group>
      {isChosen('step') && (
        <Select
          label="Step"
          allowDeselect={false}
          value={choice.step}
          data={run.steps.map(({ name }) => name)}
          error={fieldError(rerun.error, 'step')}
          onChange={(step) => setChoice({ ...choice, step })}
        />
      )}
      <Radio.Group label="Of which document" value={choice.document}>
        <Stack gap="xs" mt="xs">
          <Radio
            value="pinned"
            label={`Version ${run.pipeline_version}, as this run`}
            checked={choice.document === 'pinned'}
            onChange={() => setChoice({ ...choice, document: 'pinned' })}
          />
          <Radio
            value="newest"
            label="The newest version"
            checked={choice.document === 'newest'}
            onChange={() => setChoice({ ...choice, document: 'newest' })}
          />
        </Stack>
      </Radio.Group>
      <RerunVariables
        run={run}
        variables={choice.variables}
        error={rerun.error}
        onChange={(variables) => setChoice({ ...choice, variables })}
      />
    </FormDialog>
  )
}
