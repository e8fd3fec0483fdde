import type { FaultyFile } from '../fault.ts'

export const events: readonly FaultyFile[] = [
  {
    file: 'server/src/rooms/causes/events/actions/receive-event.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [['await needs.audit.record(tx, {', 'void (tx, {']],
  },
]
