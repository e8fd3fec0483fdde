import type { FaultyFile } from '../fault.ts'

export const setup: readonly FaultyFile[] = [
  {
    file: 'server/src/rooms/front/setup/actions/create-administrator.ts',
    tests: ['server/src/rooms/front/setup/setup.test.ts'],
    faults: [
      [
        "!origin.caller.can('user.write', '/') || origin.caller.kind !== 'bootstrap'",
        "!origin.caller.can('user.write', '/')",
      ],
    ],
  },
]
