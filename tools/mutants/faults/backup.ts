import type { FaultyFile } from '../fault.ts'

export const backup: readonly FaultyFile[] = [
  {
    file: 'server/src/backup/keys.ts',
    tests: ['e2e/faults/backup.test.ts'],
    faults: [['if (wrong === undefined) return keys', 'return keys']],
  },
  {
    file: 'server/src/backup/marks.ts',
    tests: ['e2e/faults/backup.test.ts'],
    faults: [['if (!existsSync(join(dataDir, UNFINISHED))) return', 'return']],
  },
  {
    file: 'server/src/backup/open-backup.ts',
    tests: ['e2e/faults/backup.test.ts'],
    faults: [
      ['if (file.sha256 !== table.sha256) throw', 'if (false) throw'],
      ['if (lost.length > 0) throw', 'if (false) throw'],
    ],
  },
  {
    file: 'server/src/backup/restore-backup.ts',
    tests: ['e2e/faults/backup.test.ts'],
    faults: [['  requireEmptyFolder(config)\n', '']],
  },
]
