import type { FaultyFile } from '../fault.ts'

export const settings: readonly FaultyFile[] = [
  {
    file: 'server/src/rooms/foundation/settings/actions/put-setting.ts',
    tests: ['server/src/rooms/foundation/settings/settings.test.ts'],
    faults: [['await means.audit.record(db, {', 'void (db, {']],
  },
]
