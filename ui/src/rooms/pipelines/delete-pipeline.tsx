import { etagOf } from '@signalbox/contracts/http/etags'
import { pipelineRoutes } from '@signalbox/contracts/pipelines/routes'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useWrite } from '../../client/index.ts'
import { DeleteDialog } from '../../components/delete-dialog.tsx'
import type { Pipeline } from './pipeline.ts'

interface DeletePipelineProps {
  readonly pipeline: Pipeline
  readonly onClose: () => void
}

export function DeletePipeline({ pipeline, onClose }: DeletePipelineProps): ReactNode {
  const navigate = useNavigate()
  const remove = useWrite(pipelineRoutes.deletePipeline, {
    changes: [pipelineRoutes.listPipelines],
    shown: [pipelineRoutes.getPipeline],
    onDone: () => void navigate({ to: '/t/$team/pipelines', params: { team: pipeline.team_path } }),
  })
  return (
    <DeleteDialog
      title={`Delete ${pipeline.identifier}?`}
      loss="Its runs stay, and those in flight go on. Triggers and schedules that name it start nothing any more."
      stored={{ version: pipeline.version, saved_by: pipeline.saved_by }}
      etag={etagOf(pipeline.version)}
      write={remove}
      onDelete={(ifMatch) => remove.mutate({ params: { id: pipeline.id }, ifMatch })}
      onClose={onClose}
    />
  )
}
