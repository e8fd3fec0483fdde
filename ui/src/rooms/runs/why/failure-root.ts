import type { SuccessOf } from '@signalbox/contracts/http/routes'
import type { logRoutes } from '@signalbox/contracts/logs/routes'

/** A task, or a step as a whole, that failed by itself. */
export type FailureRoot = SuccessOf<typeof logRoutes.explainFailure>['roots'][number]
