import { Group, Modal, Text } from '@mantine/core'
import { deliveryRoutes } from '@signalbox/contracts/sources/routes'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { call, invalidate, newKey } from '../../client/index.ts'
import { AllowedButton, DataList, EmptyState, ForeignText, ProblemNotice, StatusBadge } from '../../components/index.ts'
import type { Delivery } from './source.ts'

interface ReplayManyProps {
  /** The deliveries that are chosen. */
  readonly deliveries: readonly Delivery[]
  readonly onDone: () => void
  /** The team whose deliveries are listed; undefined: all. */
  readonly at: string | undefined
}

/** What became of one delivery that ran through today's triggers. */
interface Outcome {
  readonly id: string
  readonly result: string
  readonly reason: string
}

/** Runs the chosen deliveries through today's triggers again, or says what would start. */
export function ReplayMany({ deliveries, onDone, at }: ReplayManyProps): ReactNode {
  const right = { permission: 'delivery.replay', at } as const
  const queries = useQueryClient()
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>()
  const replay = useMutation({
    mutationFn: (isDry: boolean) => replayAll(deliveries, isDry),
    onSuccess: async (found, isDry) => {
      setOutcomes(found)
      if (isDry) return
      onDone()
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

/** A replay is of one source: several sources are several calls, in turn. */
async function replayAll(deliveries: readonly Delivery[], isDry: boolean): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  for (const [sourceID, group] of Map.groupBy(deliveries, ({ source_id }) => source_id)) {
    const { replays, skipped } = await call(deliveryRoutes.replayDeliveries, {
      params: { sourceID },
      body: { delivery_ids: group.map(({ id }) => id), dry_run: isDry },
      idempotencyKey: newKey(),
    })
    outcomes.push(...replays.map(({ replay_of, result, reason }) => ({ id: replay_of, result, reason })))
    outcomes.push(...skipped.map(({ delivery_id, reason }) => ({ id: delivery_id, result: 'skipped', reason })))
  }
  return outcomes
}
