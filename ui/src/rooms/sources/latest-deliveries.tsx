import { deliveryRoutes } from '@signalbox/contracts/sources/routes'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { itemsOf, readPages, useLive } from '../../client/index.ts'
import { DataList, PageLink, Section } from '../../components/index.ts'
import { deliveryColumns } from './delivery-columns.tsx'

interface LatestDeliveriesProps {
  readonly sourceId: string
  readonly team: string
  /** What stands there before the first one. */
  readonly empty: ReactNode
}

/** What came to one source last, and what became of it; those that came back say so. */
export function LatestDeliveries({ sourceId, team, empty }: LatestDeliveriesProps): ReactNode {
  const read = readPages(deliveryRoutes.listDeliveries, { params: { sourceID: sourceId }, query: { limit: 20 } })
  const deliveries = useInfiniteQuery(read)
  useLive([`deliveries:${sourceId}`], [deliveryRoutes.listDeliveries])
  return (
    <Section
      title="Latest deliveries"
      actions={
        <PageLink to="/t/$team/deliveries" params={{ team }} search={{ source: sourceId }}>
          All of them
        </PageLink>
      }
    >
      <DataList
        label="Latest deliveries"
        columns={COLUMNS}
        items={deliveries.data && itemsOf(deliveries.data)}
        keyOf={({ id }) => id}
        error={deliveries.error}
        onRetry={() => void deliveries.refetch()}
        empty={empty}
      />
    </Section>
  )
}

/** All are of one source. */
const COLUMNS = deliveryColumns([]).filter(({ key }) => key !== 'source')
