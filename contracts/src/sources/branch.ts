import { type Static, Type } from 'typebox'

export const Branch = Type.Object({ name: Type.String(), commit_sha: Type.String() })
export type Branch = Static<typeof Branch>
