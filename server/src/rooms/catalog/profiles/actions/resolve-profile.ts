import type { Queryable } from '#platform/database'
import { DEFAULT_CONTENT, lineOf, type ProfileContent, type Requirement, splitProfileName } from '../rules.ts'
import * as store from '../store.ts'

/** A profile as the tasks of a pipeline use it. */
export interface ResolvedProfile {
  /** Null: no profile was named, the default applies. */
  readonly profileId: string | null
  readonly identifier: string | null
  readonly requirement: Requirement
  readonly environment: Readonly<Record<string, string>>
  readonly image: string | null
  readonly resources: ProfileContent['resources']
}

/** `problem` is a sentence for the author of the pipeline. */
export type ProfileResolution = ResolvedProfile | { readonly problem: string }

/**
 * The profile that `name` means for a team. `acme/web/node24` names one profile, of the team or a team above it. `node24` is
 * the nearest profile of that name. Without a name the default applies.
 */
export async function resolveProfile(
  db: Queryable,
  name: string | null | undefined,
  forTeamPath: string,
): Promise<ProfileResolution> {
  if (name === null || name === undefined) return toResolved(undefined)
  const wanted = splitProfileName(name)
  const line = lineOf(forTeamPath)
  const teams = wanted.teamPath === undefined ? line : line.filter((path) => path === wanted.teamPath)
  const row = await store.findNearestProfile(db, teams, wanted.name)
  if (row) return toResolved(row)
  return {
    problem: `There is no profile "${name}" that ${forTeamPath} may use: name one of its own or of a team above it.`,
  }
}

/** The profile of this id as it is now; null is the default. Undefined when it was deleted. */
export async function findResolvedProfile(db: Queryable, id: string | null): Promise<ResolvedProfile | undefined> {
  if (id === null) return toResolved(undefined)
  const row = await store.findProfileById(db, id)
  return row && toResolved(row)
}

function toResolved(row: store.ProfileRow | undefined): ResolvedProfile {
  const { executor, labels, environment, image, resources } = row ?? DEFAULT_CONTENT
  return {
    profileId: row?.id ?? null,
    identifier: row ? `${row.teamPath}/${row.name}` : null,
    requirement: { executor, labels },
    environment,
    image,
    resources,
  }
}
