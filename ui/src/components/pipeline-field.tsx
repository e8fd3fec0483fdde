import { Autocomplete } from '@mantine/core'
import { pipelineRoutes } from '@signalbox/contracts/pipelines/routes'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { itemsOf, readAll } from '../client/index.ts'
import { useMayDo } from '../client/session.ts'

interface PipelineFieldProps {
  /** <team path>/<name> */
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (identifier: string) => void
}

/** A pipeline by its identifier: those that one may see are offered, and any other may be typed. */
export function PipelineField({ value, error, onChange }: PipelineFieldProps): ReactNode {
  const maySee = useMayDo()('pipeline.read', undefined)
  const pipelines = useQuery({ ...readAll(pipelineRoutes.listPipelines, { query: { limit: 500 } }), enabled: maySee })
  return (
    <Autocomplete
      label="Pipeline"
      required
      placeholder="acme/web/build"
      limit={50}
      data={itemsOf(pipelines.data)
        .map(({ identifier }) => identifier)
        .toSorted()}
      value={value}
      error={error}
      onChange={onChange}
    />
  )
}

/** The team of a pipeline; empty while no whole name was typed. */
export function teamOfPipeline(identifier: string): string {
  return identifier.slice(0, Math.max(0, identifier.lastIndexOf('/')))
}
