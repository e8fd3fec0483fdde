import type { FaultyFile } from '../fault.ts'

export const contracts: readonly FaultyFile[] = [
  {
    file: 'contracts/src/event/posted-event.ts',
    tests: ['contracts/src/event/event.test.ts'],
    faults: [
      ["if (branch !== null && branch !== named.branch) return 'branch'", ''],
      [
        'if (name === undefined || isAboutPullRequest(kind)) return undefined',
        'if (name === undefined) return undefined',
      ],
    ],
  },
  {
    file: 'contracts/src/repository/address.ts',
    tests: ['contracts/src/repository/address.test.ts'],
    faults: [
      ['if (/^[^/]*::/.test(text)) return { fault: `names a transport helper ("::"); ${REMEDY}` }', ''],
      [
        'if (text.startsWith(\'-\')) return { fault: `begins with "-", which git would take for an option; ${REMEDY}` }',
        '',
      ],
      [
        "if (WITH_USER.test(text)) return { fault: 'holds a user or a password; give the source a credential instead' }",
        '',
      ],
      ['path === folder || path.startsWith(`${folder}/`)', 'path.startsWith(folder)'],
      ["if (address.kind !== 'local' || liesWithin(address.path, localFolders)) return undefined", 'return undefined'],
    ],
  },
]
