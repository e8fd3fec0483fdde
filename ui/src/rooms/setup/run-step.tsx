import { Alert, Button, Code, Stack, Text } from '@mantine/core'
import { pipelineRoutes } from '@signalbox/contracts/pipelines/routes'
import { runnerRoutes } from '@signalbox/contracts/runners/routes'
import { runRoutes } from '@signalbox/contracts/runs/routes'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { ApiProblem, call, newKey, read } from '../../client/index.ts'
import { PageButton, ProblemNotice } from '../../components/index.ts'
import { SAMPLE, SAMPLE_ENVIRONMENT, SAMPLE_NAME } from './steps.ts'

/** Stores the sample pipeline and runs it. */
export function RunStep({ team }: { readonly team: string }): ReactNode {
  const navigate = useNavigate()
  const runners = useQuery(read(runnerRoutes.listRunners, { query: { limit: 1 } }))
  const [error, setError] = useState<Error>()
  const [isSending, setSending] = useState(false)
  const [key] = useState(newKey)

  async function run(): Promise<void> {
    setSending(true)
    setError(undefined)
    try {
      await storeSample(team)
      const request = {
        params: { id: `${team}/${SAMPLE_NAME}` },
        body: { scope: `${team}/${SAMPLE_ENVIRONMENT}` },
        idempotencyKey: key,
      }
      const started = await call(runRoutes.startRun, request)
      if ('run_id' in started) await navigate({ to: '/runs/$id', params: { id: started.run_id } })
    } catch (problem) {
      setError(problem instanceof Error ? problem : new Error('The run could not be started.'))
      setSending(false)
    }
  }

  return (
    <Stack gap="md">
      <Text>
        This pipeline needs no repository. It becomes <strong>{`${team}/${SAMPLE_NAME}`}</strong>, and its first run
        starts at once.
      </Text>
      <Code block tabIndex={0}>
        {SAMPLE}
      </Code>
      {runners.data?.length === 0 && (
        <Alert color="caution" variant="light" title="No runner is there yet">
          <Text>The run waits until one is. This command prints how one joins:</Text>
          <Code block tabIndex={0} mt="sm">
            {`signalbox runner enrol ${team}`}
          </Code>
        </Alert>
      )}
      <ProblemNotice error={error} />
      <Button size="sm" loading={isSending} onClick={() => void run()}>
        Run it
      </Button>
      <PageButton to="/t/$team/home" params={{ team }} variant="default">
        Skip this
      </PageButton>
    </Stack>
  )
}

/** Somebody who repeats this step has it already. */
async function storeSample(team: string): Promise<void> {
  try {
    await call(pipelineRoutes.createPipeline, { body: { team_path: team, document: SAMPLE } })
  } catch (error) {
    if (!(error instanceof ApiProblem && error.status === 409)) throw error
  }
}
