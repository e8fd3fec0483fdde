import { Text } from '@mantine/core'
import { pipelineRoutes } from '@signalbox/contracts/pipelines/routes'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { readDocument, useWrite } from '../../../client/index.ts'
import { FormDialog } from '../../../components/index.ts'
import type { Pipeline } from '../pipeline.ts'

const page = getRouteApi('/shell/pipelines/$id')

interface RestoreVersionProps {
  readonly pipeline: Pipeline
  readonly version: number
  readonly document: string
  readonly onClose: () => void
}

/** Saves the document of an old version as the newest one. */
export function RestoreVersion({ pipeline, version, document, onClose }: RestoreVersionProps): ReactNode {
  const navigate = page.useNavigate()
  const current = useQuery(readDocument(pipelineRoutes.getPipeline, { params: { id: pipeline.id } }))
  const replace = useWrite(pipelineRoutes.replacePipeline, {
    changes: [pipelineRoutes.getPipeline, pipelineRoutes.listPipelines, pipelineRoutes.listPipelineVersions],
    onDone: () => {
      onClose()
      void navigate({ search: { tab: 'versions' } })
    },
  })
  return (
    <FormDialog
      title={`Restore version ${version} of ${pipeline.identifier}?`}
      isOpen
      onClose={onClose}
      onSubmit={() => replace.mutate({ params: { id: pipeline.id }, body: { document }, ifMatch: current.data?.etag })}
      action="Restore"
      obstacle={current.data === undefined ? 'The current version is being read.' : undefined}
      isSending={replace.isPending}
      error={replace.error}
    >
      <Text>
        Its document is saved as version {pipeline.version + 1}. No version is lost, and runs in flight go on as they
        are.
      </Text>
    </FormDialog>
  )
}
