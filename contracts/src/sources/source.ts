import { type Static, type TProperties, Type } from 'typebox'
import { Nullable, OURS, Owner, pageQuery, Sentence, STRICT, TeamPath, Time, Uuid } from '../http/index.ts'

function credential(description: string) {
  return Type.String({ minLength: 1, maxLength: 700, description })
}

const writable = {
  // Free text, so that it counts as that of others: sentences name a source by its id.
  name: Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: '^[^\\p{Cc}]*\\S[^\\p{Cc}]*$',
    description: 'One line of text.',
  }),
  provider: Type.String({ ...OURS, maxLength: 100, description: 'A known provider kind, such as github.' }),
  enabled: Type.Boolean({ description: 'Default true. A disabled source answers 404 on ingress.' }),
  team_path: TeamPath,
  visibility: Type.Enum(['private', 'shared'], {
    description: 'Default private: triggers whose owner may see the source. shared: the triggers of every team.',
  }),
  auth_mode: Type.Enum(['signature', 'token', 'basic'], { description: "Default: the provider's own signature." }),
  credential_ref: credential(
    'secret:<team path>/<name>, app:<provider> for the webhook secret of its app, or env:NAME where the operator lists NAME',
  ),
  base_url: Nullable(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description:
        "The provider's address, https://gitlab.example.com; its host must be one of provider_hosts. Null: the public " +
        'address of the provider. Credentials and calls go nowhere else. Required with checkout_credential_ref or ' +
        'read_repository where the provider has no public address.',
    }),
  ),
  checkout_credential_ref: Nullable(
    credential('May read the repositories for checkouts and calls of the provider; null: they are public.'),
  ),
  read_repository: Type.Boolean({
    description: 'Default false. Whether the service fetches the manifest and changed files from the repository.',
  }),
  report_status: Type.Boolean({
    description: 'Default false. Shows at the provider what became of runs; needs checkout_credential_ref.',
  }),
  comment_commands: Type.Boolean({
    description:
      'Default false. Whether comments of pull requests may hold commands such as /run; needs checkout_credential_ref.',
  }),
  repository_allowlist: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
    minItems: 1,
    maxItems: 1000,
    description: 'owner/repository patterns: * within a segment, ** across.',
  }),
  rate_limit: Type.Object(
    { per_minute: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Default 600.' }) },
    STRICT,
  ),
  acknowledge_unmapped: Type.Boolean({
    description: 'Default false. Answers 200 instead of 422 to events that nothing can use.',
  }),
} satisfies TProperties

export const SourceParams = Type.Object({ sourceID: Uuid })

export const WebhookSource = Type.Object({
  id: Uuid,
  payload_url: Nullable(
    Type.String({
      ...OURS,
      description: "The values to enter at the provider; null where the control plane's base_url is not configured.",
    }),
  ),
  ...writable,
  owner: Owner,
  connected_trigger_count: Type.Integer({
    description: 'Triggers that name the source, and those that name none and take its events.',
  }),
  notes: Type.Array(Sentence, { description: 'Settings that this provider should have and that are not set.' }),
  created_at: Time,
  updated_at: Time,
})
export type WebhookSource = Static<typeof WebhookSource>

/** Accepted and ignored, so that a document that was read can be written back. */
const ignored = Type.Partial(
  Type.Object({
    id: Type.Unknown(),
    payload_url: Type.Unknown(),
    owner: Type.Unknown(),
    connected_trigger_count: Type.Unknown(),
    notes: Type.Unknown(),
    created_at: Type.Unknown(),
    updated_at: Type.Unknown(),
  }),
).properties

const { name, provider, team_path, credential_ref, repository_allowlist, ...optional } = writable

/** Body of POST and PUT; omitted fields have their defaults. */
export const WebhookSourceDocument = Type.Object(
  {
    name,
    provider,
    team_path,
    credential_ref,
    repository_allowlist,
    ...Type.Partial(Type.Object(optional)).properties,
    ...ignored,
  },
  STRICT,
)
export type WebhookSourceDocument = Static<typeof WebhookSourceDocument>

export const WebhookSourcePatch = Type.Object({ ...Type.Partial(Type.Object(writable)).properties, ...ignored }, STRICT)
export type WebhookSourcePatch = Static<typeof WebhookSourcePatch>

export const WebhookSourceQuery = Type.Object(
  {
    ...pageQuery,
    team_path: Type.Optional(TeamPath),
    credential_ref: Type.Optional(credential('Only sources that verify deliveries or read repositories with it.')),
  },
  STRICT,
)
export type WebhookSourceQuery = Static<typeof WebhookSourceQuery>

export const DeleteSourceQuery = Type.Object(
  {
    if_unused: Type.Optional(
      Type.Boolean({ description: 'Answers 409 while triggers name the source or take its events.' }),
    ),
  },
  STRICT,
)
export type DeleteSourceQuery = Static<typeof DeleteSourceQuery>
