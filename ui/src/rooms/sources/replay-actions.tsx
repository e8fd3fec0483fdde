import { Modal, Text } from '@mantine/core'
import type { SuccessOf } from '@signalbox/contracts/http/routes'
import { deliveryRoutes } from '@signalbox/contracts/sources/routes'
import { type ReactNode, useState } from 'react'
import { useWrite } from '../../client/index.ts'
import { AllowedButton, ForeignText, PageLink, ProblemNotice, StatusBadge } from '../../components/index.ts'
import { EventTree } from './event-tree.tsx'
import { useTeamOfSource } from './use-team-of-source.ts'

type Replay = SuccessOf<typeof deliveryRoutes.replayDelivery>

interface ReplayActionsProps {
  readonly sourceId: string
  readonly deliveryId: string
}

/** Runs a delivery through today's triggers again, or says what would start. */
export function ReplayActions({ sourceId, deliveryId }: ReplayActionsProps): ReactNode {
  const [replayed, setReplayed] = useState<Replay>()
  const replay = useWrite(deliveryRoutes.replayDelivery, {
    changes: [deliveryRoutes.listDeliveries, deliveryRoutes.listAllDeliveries],
    onDone: setReplayed,
  })
  const right = { permission: 'delivery.replay', at: useTeamOfSource(sourceId) } as const
  const run = (isDry: boolean): void =>
    replay.mutate({ params: { sourceID: sourceId, deliveryID: deliveryId }, body: { dry_run: isDry } })
  return (
    <>
      <AllowedButton {...right} variant="default" loading={replay.isPending} onClick={() => run(true)}>
        Dry run
      </AllowedButton>
      <AllowedButton {...right} loading={replay.isPending} onClick={() => run(false)}>
        Replay
      </AllowedButton>
      <Modal
        opened={replayed !== undefined || replay.error !== null}
        onClose={() => {
          setReplayed(undefined)
          replay.reset()
        }}
        size="xl"
        title={replayed?.delivery_id === null ? 'What would start now' : 'What started'}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <ProblemNotice error={replay.error} />
        {replayed && (
          <>
            <Text>
              <StatusBadge status={replayed.result} /> <ForeignText>{replayed.reason}</ForeignText>
            </Text>
            {replayed.run_ids.map((id) => (
              <PageLink key={id} to="/runs/$id" params={{ id }}>
                Open the run{' '}
              </PageLink>
            ))}
            <EventTree proof={replayed.trace.verification} events={replayed.trace.events} />
          </>
        )}
      </Modal>
    </>
  )
}
