import { type Static, Type } from 'typebox'
import { Nullable, pageQuery, STRICT, TeamPath, Uuid } from '../http/index.ts'
import { ApprovalRequest, RunApproval, RunStatusAnswer } from '../runs/index.ts'

export { ApprovalRequest } from '../runs/index.ts'

export const ApprovalQuery = Type.Object(
  {
    ...pageQuery,
    team_path: Type.Optional(TeamPath),
    state: Type.Optional(
      Type.Enum(['waiting', 'decided'], {
        default: 'waiting',
        description:
          'waiting: what the caller may decide now. decided: what was approved, rejected or timed out, of runs that the caller may see.',
      }),
    ),
  },
  STRICT,
)
export type ApprovalQuery = Static<typeof ApprovalQuery>

export const ApprovalParams = Type.Object({ id: Uuid, step: Type.String({ minLength: 1, maxLength: 200 }) })

export const ApprovalInput = Type.Object(
  {
    decision: Type.Enum(['approve', 'reject']),
    comment: Type.Optional(Type.String({ minLength: 1, maxLength: 2000 })),
    fields: Type.Optional(
      Type.Record(Type.String({ maxLength: 200 }), Type.String({ maxLength: 65_536 }), {
        description: 'Values of the fields that the step asks for; they are its outputs.',
      }),
    ),
    commit_sha: Type.Optional(
      Type.String({
        pattern: '^([0-9a-f]{40}|[0-9a-f]{64})$',
        description: 'The commit that was looked at: 409 where the run is of another.',
      }),
    ),
  },
  STRICT,
)
export type ApprovalInput = Static<typeof ApprovalInput>

export const ApprovalAnswer = Type.Object({
  ...RunStatusAnswer.properties,
  approval: RunApproval,
  request: Nullable(ApprovalRequest, { description: 'Of an approval step; null for fork.' }),
})
export type ApprovalAnswer = Static<typeof ApprovalAnswer>
