import { Group } from '@mantine/core'
import { pipelineRoutes } from '@signalbox/contracts/pipelines/routes'
import { runRoutes } from '@signalbox/contracts/runs/routes'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useWrite } from '../../../client/index.ts'
import { CopyAs, FormDialog, fieldError } from '../../../components/index.ts'
import { ScopeField } from '../../../components/scope-field.tsx'
import type { Pipeline } from '../pipeline.ts'
import { useReading } from '../reading/use-reading.ts'
import { CodeFields } from './code-fields.tsx'
import { commandOf, EMPTY_RUN, startOf } from './run-draft.ts'
import { VariableFields } from './variable-fields.tsx'

interface RunFormProps {
  readonly pipeline: Pipeline
  readonly onClose: () => void
}

const MARKED = ['scope', 'repository', 'ref', 'clone_url', 'commit_sha', 'priority']
const CHANGES = [runRoutes.listRuns, runRoutes.listPipelineResults, pipelineRoutes.listPipelines]

/** Starts a run with the values that the person gives; then opens it. */
export function RunForm({ pipeline, onClose }: RunFormProps): ReactNode {
  const navigate = useNavigate()
  const [draft, setDraft] = useState(EMPTY_RUN)
  const reading = useReading(pipeline.document)
  const start = useWrite(runRoutes.startRun, {
    changes: CHANGES,
    onDone: (started) => {
      if ('run_id' in started) void navigate({ to: '/runs/$id', params: { id: started.run_id } })
    },
  })
  const body = startOf(draft)
  const variables = reading?.variables ?? {}
  return (
    <FormDialog
      title={`Run ${pipeline.identifier}`}
      isOpen
      onClose={onClose}
      onSubmit={() => start.mutate({ params: { id: pipeline.id }, body })}
      action="Run"
      isSending={start.isPending}
      error={start.error}
      marked={[...MARKED, ...Object.keys(variables).map((name) => `variables.${name}`)]}
    >
      <VariableFields
        variables={variables}
        secrets={reading?.secrets ?? {}}
        draft={draft}
        onChange={setDraft}
        error={start.error}
      />
      <ScopeField
        teamPath={pipeline.team_path}
        value={draft.scope}
        error={fieldError(start.error, 'scope')}
        onChange={(scope) => setDraft({ ...draft, scope })}
      />
      <CodeFields teamPath={pipeline.team_path} draft={draft} onChange={setDraft} error={start.error} />
      <Group justify="flex-end">
        <CopyAs
          path={`/v1/pipelines/${encodeURIComponent(pipeline.identifier)}/runs`}
          method="POST"
          body={body}
          command={commandOf(pipeline.identifier, body)}
        />
      </Group>
    </FormDialog>
  )
}
