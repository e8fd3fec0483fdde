import { type Preferences, PreferencesInput } from '@signalbox/contracts/preferences'
import { Value } from 'typebox/value'
import { type Caller, etagOf } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import { completePreferences, DEFAULT_PREFERENCES } from '../rules.ts'
import * as store from '../store.ts'

/** The time of a document that nobody saved. */
export const NEVER = new Date(0)

export interface KeptPreferences {
  readonly preferences: Preferences
  readonly etag: string
}

export async function readPreferences(means: Means, caller: Caller): Promise<KeptPreferences> {
  const row = await store.findPreferences(means.database.kysely, requireUser(caller))
  if (!row) return { preferences: DEFAULT_PREFERENCES, etag: etagOf(NEVER) }
  // A document of another version that does not fit any more counts for nothing: it is about looks alone.
  const known = Value.Check(PreferencesInput, row.document) ? row.document : {}
  return { preferences: completePreferences(known), etag: etagOf(row.updatedAt) }
}

/** The id of the calling user. Throws forbidden (403) for anybody else. */
export function requireUser({ kind, id }: Caller): string {
  if (kind === 'user') return id
  throw platformProblem('forbidden', 'Preferences are of people: use the token or the session of a user.')
}
