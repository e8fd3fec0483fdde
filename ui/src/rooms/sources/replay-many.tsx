import { Group, Modal, Text } from '@mantine/core'
import { deliveryRoutes } from '@signalbox/contracts/sources/routes'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { invalidate, write } from '../../client/index.ts'
import { AllowedButton, DataList, EmptyState, ForeignText, ProblemNotice, StatusBadge } from '../../components/index.ts'
import { type Outcome, replayEach } from './replay-each.ts'
import type { Delivery } from './source.ts'

interface ReplayManyProps {
  /** The deliveries that are chosen. */
  readonly deliveries: readonly Delivery[]
  readonly onDone: () => void
  /** The team whose deliveries are listed; undefined: all. */
  readonly at: string | undefined
}

/** Runs the chosen deliveries through today's triggers again, or says what would start. */
export function ReplayMany({ deliveries, onDone, at }: ReplayManyProps): ReactNode {
  const right = { permission: 'delivery.replay', at } as const
  const queries = useQueryClient()
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>()
  /** What was replayed before one source refused. */
  const [replayed, setReplayed] = useState<readonly Outcome[]>([])
  const replay = useMutation({
    // Those of which the outcome is known are not replayed again: another press is for the others.
    mutationFn: (isDry: boolean) => replayEach(deliveries, replayed, (ids, source) => replaySome(source, ids, isDry)),
    onSuccess: async ({ outcomes: found, error }, isDry) => {
      setOutcomes(found)
      if (isDry) return
      setReplayed(error ? found : [])
      if (!error) onDone()
      await invalidate(queries, [deliveryRoutes.listAllDeliveries, deliveryRoutes.listDeliveries])
    },
  })
  const columns = [
    { key: 'result', header: 'Result', isPlain: true, cell: ({ result }: Outcome) => <StatusBadge status={result} /> },
    { key: 'reason', header: 'Why', isPlain: true, cell: ({ reason }: Outcome) => <ForeignText>{reason}</ForeignText> },
  ]
  return (
    <>
      {deliveries.length > 0 && (
        <Group gap="sm" mb="sm">
          <Text size="sm">{deliveries.length} chosen</Text>
          <AllowedButton {...right} variant="default" loading={replay.isPending} onClick={() => replay.mutate(true)}>
            Say what would start
          </AllowedButton>
          <AllowedButton {...right} loading={replay.isPending} onClick={() => replay.mutate(false)}>
            Replay
          </AllowedButton>
        </Group>
      )}
      <ProblemNotice error={replay.error} />
      <Modal
        opened={outcomes !== undefined}
        onClose={() => setOutcomes(undefined)}
        size="xl"
        title={replay.variables ? 'What would start' : 'What started'}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <ProblemNotice error={replay.data?.error} />
        <DataList
          label="Outcomes"
          columns={columns}
          items={outcomes}
          keyOf={({ id }) => id}
          empty={<EmptyState title="Nothing was replayed">The deliveries are not kept any more.</EmptyState>}
        />
      </Modal>
    </>
  )
}

/** A replay is of one source. The same ones have the same key until they were answered. */
async function replaySome(sourceID: string, ids: readonly string[], isDry: boolean): Promise<readonly Outcome[]> {
  const { body } = await write(deliveryRoutes.replayDeliveries, {
    params: { sourceID },
    body: { delivery_ids: ids, dry_run: isDry },
  })
  return [
    ...body.replays.map(({ replay_of, result, reason }) => ({ id: replay_of, result, reason })),
    ...body.skipped.map(({ delivery_id, reason }) => ({ id: delivery_id, result: 'skipped', reason })),
  ]
}
