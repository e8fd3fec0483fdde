import type { Queryable } from '#platform/database'
import type { RequestOrigin } from '#platform/http'
import { type Doors, defineRoom } from '#platform/room'
import { getSetting, type Setting } from './actions/get-setting.ts'
import { putSetting, type SettingToPut } from './actions/put-setting.ts'
import type { Means } from './means.ts'

export type { Setting } from './actions/get-setting.ts'
export type { SettingToPut } from './actions/put-setting.ts'

/** Versioned documents such as `setting/system/mail.yaml`. The room that owns a document knows its shape. */
export interface Settings {
  get(db: Queryable, path: string): Promise<Setting | undefined>
  /** Throws setting.version_conflict (409) where somebody saved meanwhile. */
  put(db: Queryable, origin: RequestOrigin, input: SettingToPut): Promise<Setting>
}

export const settings = defineRoom<Settings, Doors<Means>>({
  name: 'foundation/settings',
  open(kit, needs) {
    const means: Means = { ...kit, ...needs }
    return {
      door: {
        get: (db, path) => getSetting(means, db, path),
        put: (db, origin, input) => putSetting(means, db, origin, input),
      },
    }
  },
})
