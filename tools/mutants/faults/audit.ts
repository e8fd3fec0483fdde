import type { FaultyFile } from '../fault.ts'

export const audit: readonly FaultyFile[] = [
  {
    file: 'server/src/rooms/foundation/audit/actions/list-audit.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [["prefixes: caller.prefixes('audit.read'),", "prefixes: ['/'],"]],
  },
  {
    file: 'server/src/rooms/foundation/audit/actions/record-audit.ts',
    tests: ['server/src/rooms/foundation/audit/audit.test.ts'],
    faults: [['tokenId: caller.token?.id ?? null,', 'tokenId: null,']],
  },
  {
    file: 'server/src/rooms/foundation/audit/writer/record-writer.ts',
    tests: ['server/src/rooms/foundation/audit/writer/record-writer.test.ts'],
    faults: [
      ['if (group.length === 1 || !isOfRow(error)) {', 'if (error) {'],
      ['group.length === 1 || !isOfRow(error)', 'group.length === 1'],
      ['if (waiting.length >= patience.most) throw overloaded()', ''],
      ['reject(overloaded())', ''],
      ['await insert(group', 'insert(group'],
    ],
  },
  {
    file: 'server/src/rooms/foundation/audit/store.ts',
    tests: ['server/src/rooms/foundation/audit/audit.test.ts'],
    faults: [["if (filter.tokenId) query = query.where('token_id', '=', filter.tokenId)", '']],
  },
]
