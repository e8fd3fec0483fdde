import { type Static, Type } from 'typebox'
import { Nullable, Principal, pageQuery, ReadOnly, STRICT, Time, Uuid } from '../http/index.ts'
import { OwnerPath, ScopePattern } from './items.ts'

/** In characters. */
const MAX_REASON = 1000

export const Emergency = Type.Object({
  id: Uuid,
  scope: ScopePattern,
  team_path: OwnerPath,
  reason: Type.String(),
  active: Type.Boolean(),
  declared_by: Principal,
  declared_at: Time,
  lifted_by: Nullable(Principal),
  lifted_at: Nullable(Time),
  lift_reason: Nullable(Type.String()),
})
export type Emergency = Static<typeof Emergency>

export const EmergencyInput = Type.Object(
  {
    scope: ScopePattern,
    reason: Type.String({
      minLength: 1,
      maxLength: MAX_REASON,
      pattern: '\\S',
      description: 'Shown to the people whose runs are stopped.',
    }),
    id: ReadOnly,
    team_path: ReadOnly,
    active: ReadOnly,
    declared_by: ReadOnly,
    declared_at: ReadOnly,
    lifted_by: ReadOnly,
    lifted_at: ReadOnly,
    lift_reason: ReadOnly,
  },
  STRICT,
)
export type EmergencyInput = Static<typeof EmergencyInput>

/** A POST without a body lifts the emergency without a reason. */
export const EmergencyLift = Nullable(
  Type.Object({ reason: Type.Optional(Nullable(Type.String({ maxLength: MAX_REASON }))) }, STRICT),
)
export type EmergencyLift = Static<typeof EmergencyLift>

export const EmergencyParams = Type.Object({ id: Uuid })

export const EmergencyQuery = Type.Object(
  {
    ...pageQuery,
    active: Type.Optional(Type.Boolean({ description: 'True: only active emergencies. False: only lifted ones.' })),
  },
  STRICT,
)
export type EmergencyQuery = Static<typeof EmergencyQuery>
