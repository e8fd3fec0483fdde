import type { ItemOf } from '@signalbox/contracts/http/requests'
import type { SuccessOf } from '@signalbox/contracts/http/routes'
import type { recoveryRoutes } from '@signalbox/contracts/recovery/routes'
import type { deliveryRoutes, sourceRoutes } from '@signalbox/contracts/sources/routes'

export type Source = ItemOf<typeof sourceRoutes.listSources>
export type SourceHealth = SuccessOf<typeof sourceRoutes.getSourceHealth>
export type Recovery = ItemOf<typeof recoveryRoutes.listRecoveries>
export type Delivery = ItemOf<typeof deliveryRoutes.listAllDeliveries>
export type DeliveryDetail = SuccessOf<typeof deliveryRoutes.getDelivery>
export type EventTrace = DeliveryDetail['trace']['events'][number]
export type TriggerTrace = EventTrace['triggers'][number]
export type ConditionTrace = TriggerTrace['conditions'][number]
