import { Code, Stack, Text } from '@mantine/core'
import { pipelineRoutes } from '@signalbox/contracts/pipelines/routes'
import { runnerRoutes } from '@signalbox/contracts/runners/routes'
import { runRoutes } from '@signalbox/contracts/runs/routes'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { read, useLive } from '../../client/index.ts'
import { PageButton, Section } from '../../components/index.ts'
import { teamTopic } from '../../shell/index.ts'
import { latestOf } from './latest-runs.tsx'
import type { Counts } from './numbers.tsx'
import styles from './overview.module.css'

interface FirstStepsProps {
  readonly team: string
  readonly counts: Counts | undefined
}

/** The three steps of a new team to its first run; nothing once there is one. */
export function FirstSteps({ team, counts }: FirstStepsProps): ReactNode {
  const runs = useQuery(read(runRoutes.listRuns, { query: latestOf(team) }))
  const isNew = runs.data?.length === 0 && counts?.runs !== undefined
  const pipelines = useQuery({
    ...read(pipelineRoutes.listPipelines, { query: { team_path: team, limit: 1 } }),
    enabled: isNew,
  })
  const runners = useQuery({ ...read(runnerRoutes.listRunners, { query: { limit: 500 } }), enabled: isNew })
  // A team that has had a run is never new again.
  useLive(isNew ? [teamTopic('runs', team)] : [], [runRoutes.listRuns])
  if (!isNew) return null
  const [pipeline] = pipelines.data ?? []
  return (
    <Section title="Three steps to the first run" isCard>
      <ol className={styles['steps']}>
        <Step
          title="A runner, which runs the tasks"
          isDone={runners.data?.some(({ team_path: path }) => mayServe(path, team)) === true}
          command={`signalbox runner enrol ${team}`}
          link={<PageButton {...pageOf(team, 'runners')}>Enrol a runner</PageButton>}
        >
          The command answers a token; the program that it names runs on any machine with access to this address.
          Runners of the platform serve every team.
        </Step>
        <Step
          title="A pipeline, which says what is done"
          isDone={pipeline !== undefined}
          command={`signalbox pipeline apply pipeline.yaml --team ${team}`}
          link={<PageButton {...pageOf(team, 'pipelines/new')}>Create a pipeline</PageButton>}
        >
          A pipeline is a file of steps and tasks.
        </Step>
        <Step
          title="A run"
          isDone={false}
          command={`signalbox pipeline run ${pipeline?.identifier ?? `${team}/<pipeline>`}`}
          link={
            pipeline && (
              <PageButton to="/pipelines/$id" params={{ id: pipeline.id }} search={{ run: true }}>
                Run {pipeline.identifier}
              </PageButton>
            )
          }
        >
          Later pushes, schedules and requests start runs by themselves.
        </Step>
      </ol>
    </Section>
  )
}

/** Runners serve their own team and those below it; runners of the platform serve all. */
function mayServe(runnerPath: string, team: string): boolean {
  return runnerPath === '/' || team === runnerPath || team.startsWith(`${runnerPath}/`)
}

function pageOf(team: string, page: 'runners' | 'pipelines/new'): { to: string; params: { team: string } } {
  return { to: `/t/$team/${page}`, params: { team } }
}

interface StepProps {
  readonly title: string
  readonly isDone: boolean
  readonly command: string
  /** The page on which it is done. */
  readonly link: ReactNode
  readonly children: ReactNode
}

function Step({ title, isDone, command, link, children }: StepProps): ReactNode {
  return (
    <li>
      <Stack gap="xs">
        <Text fw={600}>
          {title}
          {isDone && ': done'}
        </Text>
        {!isDone && (
          <>
            <Text c="dimmed">{children}</Text>
            <Code block tabIndex={0}>
              {command}
            </Code>
            <div>{link}</div>
          </>
        )}
      </Stack>
    </li>
  )
}
