import type { SystemSetting } from '@signalbox/contracts/about'
import { type Caller, requirePermission } from '#platform/http'
import type { Means } from '../means.ts'
import { settingOf } from '../rules.ts'

/** The configuration that this process read when it started. */
export function listSettings({ config }: Means, caller: Caller): SystemSetting[] {
  requirePermission(caller, 'system.read', '/')
  return config.described.map(settingOf)
}
