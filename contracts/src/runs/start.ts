import { type Static, Type } from 'typebox'
import { GIT_REF, Nullable, Scope, STRICT, Uuid } from '../http/index.ts'
import { RunStatus } from './run-status.ts'

// Requests that start, repeat and end runs.

const Variables = Type.Record(Type.String({ maxLength: 200 }), Type.String({ maxLength: 65_536 }))

export const RunStart = Type.Object(
  {
    variables: Type.Optional(Variables),
    scope: Type.Optional(Scope),
    ref: Type.Optional(
      Type.String({
        ...GIT_REF,
        description:
          'A branch or a tag: `main` is the branch of that name; else in full, `refs/tags/v1`. With repository its commit is looked up now.',
      }),
    ),
    commit_sha: Type.Optional(
      Type.String({
        pattern: '^([0-9a-f]{40}|[0-9a-f]{64})$',
        description: 'A whole commit name in lower case; needs clone_url.',
      }),
    ),
    repository: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        pattern: '^[^\\x00-\\x20]+$',
        description:
          '`owner/name`. Without clone_url a webhook source that the caller may see reaches it. Needs pipeline.write. A run without a repository starts its tasks in an empty folder.',
      }),
    ),
    priority: Type.Optional(
      Type.Integer({ minimum: -100, maximum: 100, description: 'Instead of that of the pipeline.' }),
    ),
    clone_url: Type.Optional(
      Type.String({
        maxLength: 2000,
        minLength: 1,
        description:
          'https://, http:// or ssh://; file:// only below a folder of local_repositories. Needs pipeline.write: the tasks run what lies there, with the secrets of the pipeline.',
      }),
    ),
  },
  STRICT,
)
export type RunStart = Static<typeof RunStart>
/** A POST without a body starts it as it is. */
export const OptionalRunStart = Nullable(RunStart)

export const RunStartParams = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 600, description: 'Uuid or URL-encoded identifier of the pipeline.' }),
})

export const RunStarted = Type.Object({
  run_id: Uuid,
  status: RunStatus,
  commit_sha: Nullable(Type.String({ description: 'The commit that its tasks start with.' })),
  note: Nullable(Type.String({ description: 'A further remark, such as that its tasks start in an empty folder.' })),
})
export type RunStarted = Static<typeof RunStarted>

export const RerunInput = Nullable(
  Type.Object(
    {
      mode: Type.Optional(
        Type.Enum(['whole', 'failed', 'step'], {
          description:
            'whole (default): everything; failed: what did not succeed, with the outputs of what did; step: that step and what follows it.',
        }),
      ),
      step: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'With the mode "step".' })),
      variables: Type.Optional(Variables),
      document: Type.Optional(
        Type.Enum(['pinned', 'newest'], {
          description: 'pinned (default): the version of the pipeline that the run was of; newest: as it is now.',
        }),
      ),
    },
    STRICT,
  ),
)
export type RerunInput = Static<typeof RerunInput>
export const RerunAnswer = Type.Object({ runId: Uuid, run_id: Uuid, status: RunStatus })
export type RerunAnswer = Static<typeof RerunAnswer>

export const CancelInput = Nullable(
  Type.Object({ reason: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })) }, STRICT),
)
