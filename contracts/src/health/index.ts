import { type Static, Type } from 'typebox'

export const Liveness = Type.Object({ status: Type.Literal('ok') })
export type Liveness = Static<typeof Liveness>

export const Readiness = Type.Object({
  status: Type.Union([Type.Literal('ready'), Type.Literal('not_ready')]),
  checks: Type.Array(
    Type.Object({
      name: Type.String(),
      ok: Type.Boolean(),
      message: Type.String({ description: 'Empty when the check is well.' }),
    }),
  ),
})
export type Readiness = Static<typeof Readiness>
