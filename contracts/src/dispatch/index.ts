import { type Static, Type } from 'typebox'
import { Nullable, OURS, OwnName, Time, Uuid } from '../http/index.ts'

export * from './explanation.ts'
export * from './leases.ts'
export * from './verdicts.ts'

export const DispatcherRunner = Type.Object({
  id: Uuid,
  name: OwnName,
  team_path: OwnName,
  state: Type.String({ ...OURS, description: 'connected, draining, disabled or disconnected.' }),
  enabled: Type.Boolean(),
  draining: Type.Boolean(),
  scopes: Type.Array(OwnName),
  labels: Type.Array(OwnName),
  executors: Type.Array(OwnName),
  capacity: Type.Integer(),
  in_use: Type.Integer({ description: 'Attempts that it has in hand.' }),
  version: Type.String(),
  connected_at: Nullable(Time),
  last_seen_at: Nullable(Time),
})
export type DispatcherRunner = Static<typeof DispatcherRunner>

export const DispatcherStatus = Type.Object({
  runners: Type.Array(DispatcherRunner),
  queued: Type.Integer({ description: 'Runs that wait for a runner, of the teams that the caller may see.' }),
  running: Type.Integer({ description: 'Runs in hand, likewise.' }),
  waiting: Type.Integer({ description: 'Attempts of running runs that wait for a runner, likewise.' }),
})
export type DispatcherStatus = Static<typeof DispatcherStatus>
