import { type Static, Type } from 'typebox'
import { Nullable, pageQuery, STRICT, TeamPath, Time } from '../http/index.ts'
import { GIT_APP_PROVIDERS, GitAppParams } from './app.ts'

export const INSTALLATION_STATUSES = ['unverified', 'active', 'suspended', 'removed', 'permissions_outdated'] as const
export type InstallationStatus = (typeof INSTALLATION_STATUSES)[number]

/** An installation of an app at an account of the provider. */
export const Installation = Type.Object({
  provider: Type.Enum([...GIT_APP_PROVIDERS]),
  installation_id: Type.String({ description: "The provider's id; of a connection by token the group or account." }),
  account: Nullable(Type.String({ description: 'Null until the provider has told it.' })),
  status: Type.Enum([...INSTALLATION_STATUSES], {
    description:
      'unverified: the provider has not proved it yet. permissions_outdated: it works, but a feature lacks a permission ' +
      'that the account has not accepted.',
  }),
  reason: Nullable(Type.String({ description: 'Why the status is what it is, and what to do.' })),
  repository_selection: Nullable(Type.Enum(['all', 'selected'])),
  repository_count: Type.Integer(),
  permissions: Type.Record(Type.String(), Type.String()),
  missing_permissions: Type.Array(
    Type.Object({ permission: Type.String(), access: Type.Enum(['read', 'write']), feature: Type.String() }),
    { description: 'What features need and the account has not given.' },
  ),
  teams: Type.Array(Type.Object({ team_path: TeamPath, repositories: Type.Array(Type.String()) }), {
    description: 'Teams whose sources may use the installation, and for which repositories.',
  }),
  html_url: Nullable(Type.String()),
  last_verified_at: Nullable(Time),
  refreshed_at: Nullable(Time),
})
export type Installation = Static<typeof Installation>

export const InstallationParams = Type.Object({
  ...GitAppParams.properties,
  installationID: Type.String({ maxLength: 200 }),
})
export type InstallationParams = Static<typeof InstallationParams>

export const InstallationQuery = Type.Object({ ...pageQuery }, STRICT)
export type InstallationQuery = Static<typeof InstallationQuery>

export const CreateInstallation = Type.Object(
  { installation_id: Type.Optional(Type.Union([Type.String({ maxLength: 200 }), Type.Integer()])) },
  STRICT,
)
export type CreateInstallation = Static<typeof CreateInstallation>

export const InstallationTeams = Type.Object(
  {
    teams: Type.Array(
      Type.Object(
        {
          team_path: TeamPath,
          repositories: Type.Optional(
            Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
              minItems: 1,
              maxItems: 1000,
              description: 'owner/repository patterns; default: all of the installation.',
            }),
          ),
        },
        STRICT,
      ),
      { maxItems: 200 },
    ),
  },
  STRICT,
)
export type InstallationTeams = Static<typeof InstallationTeams>

export const VerifiedInstallation = Type.Object({
  installation_id: Type.String(),
  ok: Type.Boolean(),
  verified_at: Time,
  status: Type.Enum([...INSTALLATION_STATUSES]),
  reason: Nullable(Type.String({ description: "The provider's no, in words, and what to do." })),
})
export type VerifiedInstallation = Static<typeof VerifiedInstallation>

export const RefreshedInstallation = Type.Object({
  installation_id: Type.String(),
  account: Nullable(Type.String()),
  repository_count: Type.Integer(),
  added: Type.Integer({ description: 'Repositories that came since the last refresh.' }),
  removed: Type.Integer(),
  calls: Type.Integer({ description: 'Calls of the provider; pages that had not changed cost no rate.' }),
})
export type RefreshedInstallation = Static<typeof RefreshedInstallation>

export const InstallationRepository = Type.Object({
  full_name: Type.String(),
  private: Type.Boolean(),
  default_branch: Nullable(Type.String()),
})
export type InstallationRepository = Static<typeof InstallationRepository>

/** A repository that sources of a team can use through an installation. */
export const ConnectedRepository = Type.Object({
  ...InstallationRepository.properties,
  provider: Type.Enum([...GIT_APP_PROVIDERS]),
  installation_id: Type.String(),
  account: Nullable(Type.String()),
  status: Type.Enum([...INSTALLATION_STATUSES]),
})
export type ConnectedRepository = Static<typeof ConnectedRepository>

export const ConnectedRepositoryQuery = Type.Object({ ...pageQuery, team_path: TeamPath }, STRICT)
export type ConnectedRepositoryQuery = Static<typeof ConnectedRepositoryQuery>
