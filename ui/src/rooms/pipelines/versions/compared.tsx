import { NumberInput } from '@mantine/core'
import { pipelineRoutes } from '@signalbox/contracts/pipelines/routes'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { read } from '../../../client/index.ts'
import { AllowedButton, ProblemNotice, Section } from '../../../components/index.ts'
import { Merge } from '../editor/merge.tsx'
import type { Pipeline } from '../pipeline.ts'
import { RestoreVersion } from './restore-version.tsx'

const page = getRouteApi('/shell/pipelines/$id')

interface ComparedProps {
  readonly pipeline: Pipeline
  readonly version: number
  /** The version that it is compared with; 0: with nothing. */
  readonly other: number
}

/** A version with what differs from another one. */
export function Compared({ pipeline, version, other }: ComparedProps): ReactNode {
  const navigate = page.useNavigate()
  const [isRestoring, setRestoring] = useState(false)
  const shown = useQuery(read(pipelineRoutes.getPipelineVersion, { params: { id: pipeline.id, version } }))
  const before = useQuery({
    ...read(pipelineRoutes.getPipelineVersion, { params: { id: pipeline.id, version: other } }),
    enabled: other > 0,
  })
  const text = shown.data?.document
  // The first version is shown as it is.
  const original = other > 0 ? before.data?.document : text
  return (
    <Section
      title={other > 0 ? `Version ${version}, compared with version ${other}` : `Version ${version}`}
      actions={
        <>
          {pipeline.version > 1 && (
            <NumberInput
              aria-label="Compare with version"
              prefix="with version "
              size="xs"
              min={1}
              max={pipeline.version}
              allowDecimal={false}
              value={other > 0 ? other : ''}
              onChange={(chosen) => {
                if (typeof chosen !== 'number' || chosen < 1 || chosen > pipeline.version) return
                void navigate({ search: { tab: 'versions', version, with: chosen }, replace: true })
              }}
            />
          )}
          <AllowedButton
            permission="pipeline.write"
            at={pipeline.team_path}
            variant="default"
            obstacle={version === pipeline.version ? 'It is the current version.' : undefined}
            onClick={() => setRestoring(true)}
          >
            Restore version {version}
          </AllowedButton>
        </>
      }
    >
      <ProblemNotice error={shown.error ?? before.error} />
      {text !== undefined && original !== undefined && (
        <Merge label={`Version ${version}`} original={original} text={text} />
      )}
      {isRestoring && text !== undefined && (
        <RestoreVersion pipeline={pipeline} version={version} document={text} onClose={() => setRestoring(false)} />
      )}
    </Section>
  )
}
