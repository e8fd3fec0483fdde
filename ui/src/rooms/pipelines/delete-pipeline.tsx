import { Text } from '@mantine/core'
import { pipelineRoutes } from '@signalbox/contracts/pipelines/routes'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useWrite } from '../../client/index.ts'
import { FormDialog } from '../../components/index.ts'
import type { Pipeline } from './pipeline.ts'

interface DeletePipelineProps {
  readonly pipeline: Pipeline
  readonly onClose: () => void
}

export function DeletePipeline({ pipeline, onClose }: DeletePipelineProps): ReactNode {
  const navigate = useNavigate()
  const remove = useWrite(pipelineRoutes.deletePipeline, {
    changes: [pipelineRoutes.listPipelines],
    onDone: () => void navigate({ to: '/t/$team/pipelines', params: { team: pipeline.team_path } }),
  })
  return (
    <FormDialog
      title={`Delete ${pipeline.identifier}?`}
      isOpen
      onClose={onClose}
      onSubmit={() => remove.mutate({ params: { id: pipeline.id } })}
      action="Delete"
      isDangerous
      isSending={remove.isPending}
      error={remove.error}
    >
      <Text>Its runs stay, and those in flight go on. Triggers and schedules that name it start nothing any more.</Text>
    </FormDialog>
  )
}
