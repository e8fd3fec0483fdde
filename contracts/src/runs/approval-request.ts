import { type Static, Type } from 'typebox'
import { Nullable, OURS, OwnName, Principal, Time, Uuid } from '../http/index.ts'

const Text = Nullable(Type.String())

export const ApprovalField = Type.Object({
  name: OwnName,
  type: Type.Enum(['text', 'choice', 'boolean']),
  required: Type.Boolean(),
  options: Type.Array(Type.String(), { description: 'Of a choice.' }),
  default: Text,
  description: Text,
})
export type ApprovalField = Static<typeof ApprovalField>

/** One person's decision about a request. The decision stays on the run for ever. */
export const ApprovalDecision = Type.Object({
  decision: Type.Enum(['approve', 'reject']),
  by: Principal,
  comment: Text,
  fields: Type.Record(Type.String(), Type.String()),
  commit_sha: Text,
  decided_at: Time,
  lapsed: Nullable(
    Type.String({
      ...OURS,
      description: 'Why it does not count any more: who gave it is disabled or not an approver now.',
    }),
  ),
})
export type ApprovalDecision = Static<typeof ApprovalDecision>

/** A step of a run that waits, or waited, for people. */
export const ApprovalRequest = Type.Object({
  run_id: Uuid,
  step: Type.String({
    ...OURS,
    description: 'The approval step; fork: a run of a pull request from a fork that may not begin yet.',
  }),
  pipeline: OwnName,
  team_path: OwnName,
  scope: OwnName,
  repository: Text,
  commit_sha: Nullable(Type.String({ description: 'The commit that is approved.' })),
  initiator: Principal,
  status: Type.Enum(['waiting', 'approved', 'rejected', 'timed_out', 'withdrawn'], {
    description: 'withdrawn: the run ended otherwise before it was decided.',
  }),
  approvers: Type.Array(OwnName, {
    description:
      'user:<login>, service_account:<team path>/<name>, group:<name>, or role:<role> at the team of the run.',
  }),
  required: Type.Integer({ description: 'How many of them must approve.' }),
  obstacle: Nullable(
    Type.String({
      ...OURS,
      description: 'The obstacle of a waiting request: too few may decide, or enough votes count again.',
    }),
  ),
  refusal: Nullable(
    Type.String({ ...OURS, description: 'Why the caller may not decide about a waiting request; null: they may.' }),
  ),
  allow_self: Type.Boolean(),
  message: Text,
  fields: Type.Array(ApprovalField, { description: 'The fields that approvers fill in.' }),
  requested_at: Time,
  deadline_at: Nullable(Time),
  remind_at: Nullable(
    Type.String({ format: 'date-time', description: 'The time at which approvers who have not decided are reminded.' }),
  ),
  decided_at: Nullable(Time),
  decisions: Type.Array(ApprovalDecision),
})
export type ApprovalRequest = Static<typeof ApprovalRequest>
