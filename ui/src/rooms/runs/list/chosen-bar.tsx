import { Button, Group, Modal, Text } from '@mantine/core'
import { runRoutes } from '@signalbox/contracts/runs/routes'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { invalidate } from '../../../client/index.ts'
import { AllowedButton, ReadyButton } from '../../../components/index.ts'
import type { RunRow } from '../run.ts'
import { actOnEach, fitting, type ManyAction, type Outcome } from './act-on-chosen.ts'
import styles from './chosen-bar.module.css'

const WORDS = {
  cancel: { verb: 'Cancel', done: 'told to end' },
  rerun: { verb: 'Run again', done: 'queued again' },
} as const

interface ChosenBarProps {
  readonly runs: readonly RunRow[]
  readonly onClear: () => void
}

/** What can be done with the runs that were chosen. */
export function ChosenBar({ runs, onClear }: ChosenBarProps): ReactNode {
  const [action, setAction] = useState<ManyAction>()
  if (runs.length === 0) return null
  return (
    <section className={styles['bar']} aria-label="Chosen runs">
      <Text size="sm">{runs.length} chosen</Text>
      <ActButton action="cancel" runs={runs} onAct={setAction} />
      <ActButton action="rerun" runs={runs} onAct={setAction} />
      <Button variant="subtle" onClick={onClear}>
        Choose none
      </Button>
      {action && <ActDialog action={action} runs={fitting(action, runs)} onClose={() => setAction(undefined)} />}
    </section>
  )
}

interface ActButtonProps {
  readonly action: ManyAction
  readonly runs: readonly RunRow[]
  readonly onAct: (action: ManyAction) => void
}

function ActButton({ action, runs, onAct }: ActButtonProps): ReactNode {
  const count = fitting(action, runs).length
  const none = action === 'cancel' ? 'All of these are over.' : 'None of these is over yet.'
  return (
    <AllowedButton
      variant="default"
      permission={action === 'cancel' ? 'run.cancel' : 'run.rerun'}
      at={commonTeam(runs)}
      obstacle={count === 0 ? none : undefined}
      onClick={() => onAct(action)}
    >
      {WORDS[action].verb}
      {count > 0 ? ` ${count}` : ''}…
    </AllowedButton>
  )
}

/** Where the right is asked: the team of all of them, else the first one's; the server decides for each. */
function commonTeam(runs: readonly RunRow[]): string {
  return runs[0]?.team_path ?? '/'
}

interface ActDialogProps {
  readonly action: ManyAction
  readonly runs: readonly RunRow[]
  readonly onClose: () => void
}

function ActDialog({ action, runs, onClose }: ActDialogProps): ReactNode {
  const client = useQueryClient()
  // Those that were chosen when the dialog opened: the list behind it goes on changing.
  const [wanted] = useState(runs)
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>()
  const isDone = outcomes?.length === wanted.length
  const { verb, done } = WORDS[action]
  async function act(): Promise<void> {
    setOutcomes([])
    await actOnEach(action, wanted, (outcome) => setOutcomes((before = []) => [...before, outcome]))
    await invalidate(client, [runRoutes.getRun, runRoutes.listPipelineResults])
  }
  const failed = outcomes?.filter(({ problem }) => problem !== undefined) ?? []
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={`${verb}: ${wanted.length === 1 ? 'one run' : `${wanted.length} runs`}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <div aria-live="polite">
        {outcomes === undefined ? (
          <Text size="sm">
            {action === 'cancel'
              ? 'Their tasks are told to stop; queued ones end at once.'
              : 'Each is repeated whole, of the same version and commit.'}
          </Text>
        ) : (
          <Text size="sm">
            {outcomes.length - failed.length} of {wanted.length} {done}
            {failed.length > 0 ? `, ${failed.length} refused:` : '.'}
          </Text>
        )}
        {failed.length > 0 && (
          <ul className={styles['outcomes']}>
            {failed.map(({ run, problem }) => (
              <li key={run.run_id}>
                {run.pipeline}: {problem}
              </li>
            ))}
          </ul>
        )}
      </div>
      <Group justify="flex-end" gap="sm" mt="md">
        {outcomes === undefined && (
          <ReadyButton {...(action === 'cancel' ? { color: 'danger' } : {})} onClick={() => void act()}>
            {verb}
          </ReadyButton>
        )}
        <Button variant="default" loading={outcomes !== undefined && !isDone} onClick={onClose}>
          {outcomes === undefined ? 'Leave them' : 'Close'}
        </Button>
      </Group>
    </Modal>
  )
}
