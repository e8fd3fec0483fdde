import type { Queryable } from '#platform/database'
import type { RequestOrigin } from '#platform/http'
import { settingProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import { isSettingPath, sealContext } from '../rules.ts'
import * as store from '../store.ts'
import { getSetting, type Setting } from './get-setting.ts'

export interface SettingToPut {
  readonly path: string
  /** All readers of the setting see it, so it holds no secret. */
  readonly document: unknown
  /** A secret field that is absent keeps its value; null takes it away. */
  readonly secrets?: Readonly<Record<string, string | null>>
  /** The version that was read, 0 where there was none; absent: whatever it is. */
  readonly ifVersion?: number
}

/** Saves a new version and its audit record in the caller's transaction. */
export async function putSetting(
  means: Means,
  db: Queryable,
  origin: RequestOrigin,
  input: SettingToPut,
): Promise<Setting> {
  const { path, document } = input
  if (!isSettingPath(path)) throw new Error(`"${path}" is not the path of a setting`)
  const before = await getSetting(means, db, path)
  const version = (before?.version ?? 0) + 1
  if (input.ifVersion !== undefined && input.ifVersion !== version - 1) throw changed(path)
  const kept = { ...before?.secrets, ...input.secrets }
  const secrets = Object.fromEntries(
    Object.entries(kept).filter((entry): entry is [string, string] => entry[1] !== null),
  )
  const sealed = Object.entries(secrets).map(([field, value]): [string, string] => [
    field,
    means.sealer.seal(value, sealContext(path, version, field)).toString('base64'),
  ])
  const saved = { savedBy: origin.caller.name, savedAt: means.clock.now() }
  const row = { path, version, document, sealed: Object.fromEntries(sealed), ...saved }
  if (!(await store.insertSetting(db, row))) throw changed(path)
  await means.audit.record(db, {
    origin,
    action: 'setting.saved',
    resource: { kind: 'setting', id: path },
    teamPath: '/',
    before: before && { version: before.version, document: before.document, secrets: Object.keys(before.secrets) },
    after: { version, document, secrets: Object.keys(secrets) },
  })
  return { path, version, document, secrets, ...saved }
}

function changed(path: string): Error {
  return settingProblem('setting.version_conflict', `${path} has changed since it was read: read it again, then save.`)
}
