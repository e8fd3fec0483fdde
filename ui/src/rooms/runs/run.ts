import type { ItemOf } from '@signalbox/contracts/http/requests'
import type { SuccessOf } from '@signalbox/contracts/http/routes'
import type { runRoutes } from '@signalbox/contracts/runs/routes'

/** A run in a list. */
export type RunRow = ItemOf<typeof runRoutes.listRuns>
/** A run with its graph. */
export type Run = SuccessOf<typeof runRoutes.getRun>
export type RunStep = Run['steps'][number]
export type RunTask = RunStep['tasks'][number]
