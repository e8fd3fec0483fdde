import type { Queryable } from '#platform/database'
import type { RequestOrigin } from '#platform/http'
import { defineRoom } from '#platform/room'
import type { Audit } from '#rooms/foundation/audit'
import { getSetting, type Setting } from './actions/get-setting.ts'
import { putSetting, type SettingToPut } from './actions/put-setting.ts'

export type { Setting } from './actions/get-setting.ts'
export type { SettingToPut } from './actions/put-setting.ts'

/** Versioned documents such as `setting/system/mail.yaml`. The room that owns a document knows its shape. */
export interface Settings {
  get(db: Queryable, path: string): Promise<Setting | undefined>
  /** Throws setting.version_conflict (409) where somebody saved meanwhile. */
  put(db: Queryable, origin: RequestOrigin, input: SettingToPut): Promise<Setting>
}

export interface SettingNeeds {
  readonly audit: Audit
}

export const settings = defineRoom<Settings, SettingNeeds>({
  name: 'foundation/settings',
  open: (kit, needs) => ({
    door: {
      get: (db, path) => getSetting(kit, db, path),
      put: (db, origin, input) => putSetting(kit, needs, db, origin, input),
    },
  }),
})
