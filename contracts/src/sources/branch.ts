import { type Static, Type } from 'typebox'

export { RepositoryParams } from '../overrides/index.ts'

export const Branch = Type.Object({ name: Type.String(), commit_sha: Type.String() })
export type Branch = Static<typeof Branch>
