import { type Static, Type } from 'typebox'
import { Nullable, STRICT, TeamPath, Time, Uuid } from '../http/index.ts'

const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '^[A-Za-z0-9][A-Za-z0-9._ -]*$' })
const CacheKey = Type.String({ minLength: 1, maxLength: 512 })

/** Files that a task left: a tar archive, compressed with zstd. */
export const Artifact = Type.Object({
  id: Uuid,
  run_id: Uuid,
  step: Type.String(),
  task: Type.String(),
  name: Type.String(),
  files: Type.Integer(),
  size: Type.Integer({ description: 'Bytes of the compressed archive.' }),
  sha256: Type.String({ description: 'Of the compressed archive.' }),
  created_at: Time,
  expires_at: Time,
})
export type Artifact = Static<typeof Artifact>

export const ArtifactParams = Type.Object({ id: Uuid })
export const RunArtifactsParams = Type.Object({ id: Uuid })

/** One entry of the archive of an artifact. */
export const ArtifactFile = Type.Object({
  path: Type.String({ description: 'As the archive has it: a name, whatever stands in it.' }),
  kind: Type.Enum(['file', 'folder', 'link', 'other']),
  size: Type.Integer({ description: 'Bytes, not compressed.' }),
  mode: Type.String({ description: 'Permissions in octal digits, such as 644.' }),
  target: Nullable(Type.String({ description: 'Where a link leads; links are never followed.' })),
})
export type ArtifactFile = Static<typeof ArtifactFile>

export const ArtifactFiles = Type.Object({
  files: Type.Array(ArtifactFile, { description: 'In the order of the archive.' }),
  next: Nullable(Type.Integer({ description: '`after` of the next page; null: these are the last ones.' })),
  unread: Nullable(Type.String({ description: 'One sentence where a part of the archive could not be read.' })),
})
export type ArtifactFiles = Static<typeof ArtifactFiles>

export const ArtifactFilesQuery = Type.Object(
  {
    after: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000, description: '`next` of the page before.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 200 })),
  },
  STRICT,
)
export type ArtifactFilesQuery = Static<typeof ArtifactFilesQuery>

export const ArtifactFileQuery = Type.Object(
  {
    path: Type.String({ minLength: 1, maxLength: 8192, description: 'As the list of the files has it.' }),
    inline: Type.Optional(
      Type.Boolean({
        description: 'Texts and images are sent so that a browser shows them; all else stays a download.',
      }),
    ),
  },
  STRICT,
)
export type ArtifactFileQuery = Static<typeof ArtifactFileQuery>

/** The bytes that one team keeps, and may keep. */
export const Storage = Type.Object({
  team_path: TeamPath,
  artifact_bytes: Type.Integer(),
  artifact_quota_bytes: Type.Integer(),
  cache_bytes: Type.Integer(),
  cache_quota_bytes: Type.Integer(),
})
export type Storage = Static<typeof Storage>

export const StorageQuery = Type.Object({ team_path: TeamPath }, STRICT)
const Quota = Type.Optional(
  Nullable(Type.Integer({ minimum: 0, maximum: 1e15 }), { description: 'Null: as the installation says.' }),
)
export const StorageInput = Type.Object(
  { team_path: TeamPath, artifact_quota_bytes: Quota, cache_quota_bytes: Quota },
  STRICT,
)
export type StorageInput = Static<typeof StorageInput>

/** The following shapes are between a runner and the control plane: the bearer token is that of one attempt. */

export const BlobInput = Type.Object(
  {
    sha256: Sha256,
    size: Type.Integer({ minimum: 1, maximum: 1_099_511_627_776 }),
    for: Type.Enum(['artifact', 'cache']),
  },
  STRICT,
)
export type BlobInput = Static<typeof BlobInput>

export const BlobAnswer = Type.Object({
  id: Uuid,
  part_size: Type.Integer({ description: 'Bytes of every part but the last.' }),
  missing: Type.Array(Type.Integer(), { description: 'Numbers of the parts that are not stored yet, from 0.' }),
  complete: Type.Boolean({ description: 'True: the same bytes are there already.' }),
})
export type BlobAnswer = Static<typeof BlobAnswer>

export const BlobParams = Type.Object({ id: Uuid })
export const PartParams = Type.Object({ id: Uuid, number: Type.Integer({ minimum: 0, maximum: 1_000_000 }) })

export const ArtifactInput = Type.Object(
  {
    name: Name,
    sha256: Sha256,
    files: Type.Integer({ minimum: 0 }),
    retention_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 315_360_000 })),
  },
  STRICT,
)
export type ArtifactInput = Static<typeof ArtifactInput>

export const CacheInput = Type.Object({ key: CacheKey, sha256: Sha256 }, STRICT)
export type CacheInput = Static<typeof CacheInput>

export const CacheLookup = Type.Object({ key: CacheKey, fallback: Type.Array(CacheKey, { maxItems: 20 }) }, STRICT)
export type CacheLookup = Static<typeof CacheLookup>

const CacheHit = Type.Object({
  id: Uuid,
  key: Type.String(),
  exact: Type.Boolean({ description: 'False: found by a fallback, so that the task should store its own.' }),
  size: Type.Integer(),
  sha256: Type.String(),
})
export const CacheAnswer = Type.Object({ hit: Nullable(CacheHit) })
export type CacheAnswer = Static<typeof CacheAnswer>

export const CacheStored = Type.Object({
  stored: Type.Boolean({ description: 'False: the key was taken already, or the cache is larger than the quota.' }),
  reason: Nullable(Type.String()),
})
export type CacheStored = Static<typeof CacheStored>
