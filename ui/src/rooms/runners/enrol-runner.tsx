import { Button, Modal, Stack, TagsInput, Text, TextInput } from '@mantine/core'
import type { SuccessOf } from '@signalbox/contracts/http/routes'
import { runnerRoutes } from '@signalbox/contracts/runners/routes'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { itemsOf, read, readPages, useLive, useWrite } from '../../client/index.ts'
import { AllowedButton, fieldError, PageLink, ProblemNotice, quote, ShownOnce } from '../../components/index.ts'

interface EnrolRunnerProps {
  /** A team path, or "/" for the platform. */
  readonly place: string
  readonly onClose: () => void
}

const MARKED = ['team_path', 'scopes', 'labels']

/** Makes a token and the one command of a new runner, and waits until the runner has come. */
export function EnrolRunner({ place, onClose }: EnrolRunnerProps): ReactNode {
  const [teamPath, setTeamPath] = useState(place)
  const [scopes, setScopes] = useState<string[]>([place === '/' ? '**' : `${place}/**`])
  const [labels, setLabels] = useState<string[]>([])
  const create = useWrite(runnerRoutes.createRunnerEnrollment, { changes: [runnerRoutes.listRunnerEnrollments] })
  return (
    <Modal opened onClose={onClose} size="xl" title="Enrol a runner" closeButtonProps={{ 'aria-label': 'Close' }}>
      {create.data ? (
        <Waiting enrolment={create.data} onClose={onClose} />
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            create.mutate({ body: { team_path: teamPath, scopes, labels } })
          }}
        >
          <Stack gap="md">
            <TextInput
              label="Team"
              description="The team that it belongs to; / is the platform."
              required
              value={teamPath}
              error={fieldError(create.error, 'team_path')}
              onChange={({ currentTarget }) => setTeamPath(currentTarget.value)}
            />
            <TagsInput
              label="Scopes that it serves"
              description="Patterns: * within a part, ** across, ! excludes. Enter adds one."
              value={scopes}
              error={fieldError(create.error, 'scopes')}
              onChange={setScopes}
            />
            <TagsInput
              label="Labels"
              description="Besides those that it offers by itself."
              value={labels}
              error={fieldError(create.error, 'labels')}
              onChange={setLabels}
            />
            <ProblemNotice error={create.error} marked={MARKED} />
            <AllowedButton type="submit" permission="runner.write" at={teamPath} loading={create.isPending}>
              Create its command
            </AllowedButton>
          </Stack>
        </form>
      )}
    </Modal>
  )
}

interface WaitingProps {
  readonly enrolment: SuccessOf<typeof runnerRoutes.createRunnerEnrollment>
  readonly onClose: () => void
}

/** The command, and the runner as soon as it has used the token. */
function Waiting({ enrolment: { id, token, runner_url: url }, onClose }: WaitingProps): ReactNode {
  const enrolment = useQuery(read(runnerRoutes.getRunnerEnrollment, { params: { id } }))
  const runners = useInfiniteQuery(readPages(runnerRoutes.listRunners, { query: { limit: 20 } }))
  useLive(['runners'], [runnerRoutes.getRunnerEnrollment, runnerRoutes.listRunners])
  const usedAt = enrolment.data?.used_at ?? null
  const newest = usedAt === null ? undefined : itemsOf(runners.data).find(({ created_at }) => created_at >= usedAt)
  const command = `printf %s ${quote(token)} > token && signalbox runner --url ${quote(url)} --token-file token`
  return (
    <Stack gap="md">
      <ShownOnce label="On the machine of the runner" secret={command}>
        <Text size="sm">The token counts for one runner, once. From then on the runner needs no token.</Text>
      </ShownOnce>
      <Text aria-live="polite">
        {usedAt === null ? (
          'Waiting for the runner. It appears here by itself.'
        ) : newest ? (
          <>
            <strong>{newest.name}</strong> has come.{' '}
            <PageLink to="/runners/$id" params={{ id: newest.id }}>
              Open it
            </PageLink>
          </>
        ) : (
          'The token is used: the runner has come.'
        )}
      </Text>
      <Button variant="default" onClick={onClose}>
        Close
      </Button>
    </Stack>
  )
}
